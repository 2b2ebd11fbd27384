import { type Sentence, sentence } from '../core/sentence';
import type { Forbidden } from './instruction-negation';

/** Wordings of text that speaks to an agent in place of telling it something, in English, German and French. */

export interface Form {
  id: string;
  kind: Sentence;
  /** In time proportional to the text: repetitions are bounded. */
  pattern: RegExp;
  /** What a "never" before it has to reach to make it a rule that protects; absent where none does. */
  forbidden?: Forbidden;
}

/** Up to so many words between what belongs together. */
const BETWEEN = String.raw`(?:[\s,]+[\p{L}'’-]{1,20}){0,4}?[\s,]+`;

function words(form: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${form.replaceAll('~', BETWEEN)})(?![\p{L}\p{N}_])`, 'giu');
}

/** What an agent was told before; of `errors of previous steps` it is not what is ignored. */
const EARLIER = String.raw`(?:previous|prior|above|earlier|preceding|system|developer|existing|your|all|any|these|those|other)`;
const TOLD = String.raw`(?:instructions?|prompts?|directives?|guidelines|guardrails|system[\s-]messages?)`;
const FRUEHER = String.raw`(?:vorherigen?|vorigen?|bisherigen?|obigen?|früheren?|vorangegangenen?|alle|deine|sämtliche)`;
const GESAGT = String.raw`(?:anweisung(?:en)?|instruktion(?:en)?|vorgaben|systemprompts?|prompts?|anleitung(?:en)?)`;

/** What is not to come to a person, and the person; of `the user interface` and `the user's` nobody speaks. */
const TO_PERSON = String.raw`(?:[\s,]+(?:this|it|that|anything|any|of|to|about|the|these|instructions?)){0,4}[\s,]+(?:the\s+)?(?:user|human|person|developer|operator)(?!['’]s)(?![\s,]+(?:interface|names?|passwords?|ids?|accounts?|emails?|input|data|errors?|agent)\b)`;

/** Of `show the user stack traces` the thing is what matters. */
const SHOWN = String.raw`${TO_PERSON}(?=[\s,]*(?:[.;:!?)\]"'”]|$|\n|this\b|that\b|it\b|any|what\b|how\b|your\b))`;

const THIS_TOOL = String.raw`(?:[\s,]+(?:you|the|agent|assistant|call|use|invoke|calling|using|invoking|running|run)){0,4}[\s,]+this\s+tool(?:\s+(?:is|was|has\s+been|gets))?(?:\s+(?:called|used|invoked|run|loaded|executed))?,\s*(?:(?:you|first|always|must|should|please|also|silently|immediately)[\s,]+){0,4}`;
const FRENCH_PERSON = String.raw`(?:[\s,]+(?:cela|ça|ceci|de)){0,2}[\s,]+(?:à\s+)?l['’](?:utilisateur|utilisatrice|humain)`;

export const FORMS: readonly Form[] = [
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:ignore|disregard|forget|override|bypass|discard)(?:[\s,]+(?:the|of|about|everything|all|any|my|each|and|or|else)){0,4}[\s,]+${EARLIER}(?:[\s,]+(?:the|and|or|of|your|any|all|safety|security|content|ethical|core|original|${EARLIER})){0,4}[\s,]+${TOLD}`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:ignore|disregard|forget)[\s,]+(?:everything|all|anything)(?:[\s,]+(?:that|you|was|were|have|been|said|told|written)){0,4}[\s,]+(?:above|before|so\s+far|previously|up\s+to\s+(?:now|this\s+point))`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:ignoriere|ignorieren\s+sie|vergiss|vergessen\s+sie|missachte|missachten\s+sie|umgehe|umgehen\s+sie|übergehe)(?:[\s,]+(?:alle|allen|die|deine|ihre|sämtliche|jetzt|bitte|von)){0,4}[\s,]+${FRUEHER}(?:[\s,]+(?:und|oder|${FRUEHER})){0,3}[\s,]+${GESAGT}`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:ignoriere|vergiss|missachte)[\s,]+(?:alles|alle[sn]?)(?:[\s,]+(?:was|du|dir|bisher|wurde|gesagt)){0,5}[\s,]+(?:zuvor|bisher|oben|davor|vorher|gesagt)`,
    ),
  },
  {
    id: 'new-role',
    kind: sentence('gives the agent another role'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:from\s+now\s+on,?\s+you|you)\s+are\s+(?:now|no\s+longer)\s+(?:an?|the|bound|in|my|free|called|named|dan)|from\s+now\s+on,?\s+(?:you\s+(?:will|must|shall|should|can)\s+)?(?:act|behave|pose|respond|speak)\s+(?:only\s+)?as\s+(?:an?|the|my|if)|you\s+have\s+(?:now\s+)?been\s+granted\s+(?:full\s+)?(?:admin(?:istrator)?|root|superuser|unrestricted|developer|god)[\s-]+(?:access|rights|permissions?|privileges|mode)|(?:pretend|act\s+as\s+if)~(?:no|without)~(?:rules|restrictions|limits|guidelines|filters)|(?:enter|enable|activate)[\s,]+(?:developer|god|admin|dan|jailbreak|unrestricted)[\s-]+mode`,
    ),
  },
  {
    id: 'new-role',
    kind: sentence('gives the agent another role'),
    pattern: words(
      String.raw`du\s+bist\s+(?:ab\s+)?(?:jetzt|nun|nicht\s+(?:mehr|länger))\s+(?:ein|eine|der|die|das|kein|keine|an|im|mein|meine)|ab\s+(?:jetzt|sofort)\s+bist\s+du`,
    ),
  },
  {
    id: 'role-marker',
    kind: sentence('imitates the marks between the turns of a conversation'),
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system-reminder|system_prompt|assistant|function_results|tool_result)>|^[ \t]{0,3}(?:#{1,4} {0,2})?(?:system|assistant)(?: (?:prompt|message|override))?[ \t]{0,2}:(?=[ \t]{0,3}(?:you|ignore|do|from|the (?:user|assistant)|new|always|never|du|ab|override))|(?<=\n\n)(?:Human|Assistant):(?= {0,2}\S)|\[(?:system|assistant|admin)(?: (?:prompt|message|override|note))?\]:?[ \t]{1,3}(?=(?:you|ignore|do|from|new|always|never|override|disregard|forget)\b)|(?<=[.!?] )(?:Assistant|AI): {1,2}(?=(?:sure|okay|ok|of course|certainly|understood|yes)\b)/gimu,
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    pattern: words(
      String.raw`(?:do\s+not|don['’]t|never)\s+(?:(?:tell|inform|mention|reveal|notify|alert)${TO_PERSON}(?![\s,]+to\b)|show${SHOWN}|ask${TO_PERSON}(?=[\s,]*(?:[.;:!?)\]"'”]|$|\n|first\b|before\b|about\b|whether\b|if\b|for\s+(?:permission|confirmation|approval|consent)|to\s+(?:confirm|approve|allow|authori[sz]e|permit)\b)))`,
    ),
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    forbidden: 'manner',
    pattern: words(
      String.raw`without\s+(?:(?:telling|informing|mentioning|revealing|notifying|alerting)${TO_PERSON}(?![\s,]+to\b)|showing${SHOWN}|asking${TO_PERSON})`,
    ),
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    pattern: words(
      String.raw`(?:sag|sage|verrate|verrat|zeige|zeig|erzähle|erzähl|melde|sagen\s+sie|teile)(?:[\s,]+(?:es|das|dies|davon|bitte)){0,2}[\s,]+(?:dem|der)[\s,]+(?:nutzer|nutzerin|benutzer|benutzerin|anwender|anwenderin|menschen|person)(?:[\s,]+(?:nichts|nie|niemals|nicht|davon))`,
    ),
  },
  {
    id: 'exfiltration',
    kind: sentence('asks to send something away'),
    forbidden: 'verb',
    pattern:
      /(?<![\p{L}\p{N}_])(?:send|post|upload|exfiltrate|forward|transmit|leak|append|encode|(?:schicke?|sende|übertrage|leite)(?![\s,]+(?:nie|niemals|nicht|keine[nr]?)(?!\p{L})))(?:[\s,]+[^\s.;!?]{1,40}){0,8}?[\s,]+(?:(?:api[\s-]?)?keys?|tokens?|secrets?|credentials?|passwords?|env(?:ironment)?[\s-]variables|\.env|chat[\s-]?history|conversation|system[\s-]prompt|source[\s-]code|schlüssel|zugangsdaten|passwörter|geheimnisse|kennwörter|unterhaltung|quelltext)(?:[\s,]+[^\s.;!?]{1,40}){0,6}?[\s,]+(?:to|as|in|into|an|nach|als)[\s,]+(?:[^\s.;!?]{1,20}[\s,]+){0,3}?(?:https?:\/\/|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.|webhook|query[\s-]string)/giu,
  },
  {
    id: 'exfiltration',
    kind: sentence('asks for the instructions of the agent'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:reveal|print|repeat|output|show|leak|dump)(?:[\s,]+(?:me|us|out|the|all|of|entire|full|exact|complete|verbatim)){0,5}[\s,]+your(?:[\s,]+(?:entire|full|initial|original|hidden|exact|complete|secret|own)){0,3}[\s,]+(?:system[\s-]+prompt|instructions|system[\s-]+message)|(?:gib|zeige|zeig|nenne|wiederhole)(?:[\s,]+(?:mir|uns|bitte|alle)){0,3}[\s,]+deine[nr]?(?:[\s,]+(?:gesamten?|ganzen?|geheimen?|ursprünglichen?)){0,2}[\s,]+(?:systemprompt|anweisungen|instruktionen)`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?<!n['’])(?:ignore[zsr]?|oublie[zsr]?|n['’]?\s?(?:écoute|tiens|tenez)[^.\n]{0,15}|fais\s+abstraction|faites\s+abstraction)(?:[\s,]+(?:de|des|du|tout|toute|toutes|tous|les|tes|vos|ces)){0,4}[\s,]+(?:(?:instructions?|consignes?|directives?|règles)[\s,]+(?:précédentes?|antérieures?|ci-dessus|système|données)|ce\s+qui\s+précède)`,
    ),
  },
  {
    id: 'new-role',
    kind: sentence('gives the agent another role'),
    pattern: words(
      String.raw`(?:tu\s+es|vous\s+êtes)\s+(?:désormais|maintenant|à\s+présent)\s+(?:une?|le|la|mon|ma|en|libre)|(?:désormais|à\s+partir\s+de\s+maintenant),?\s+(?:tu\s+es|vous\s+êtes|agis\s+comme|agissez\s+comme)`,
    ),
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    pattern: words(
      String.raw`(?:ne\s+(?:le\s+)?(?:dis|dites|montre|montrez|révèle|révélez|parle|parlez)\s+(?:pas|rien|jamais)|n['’]en\s+(?:parle|parlez)\s+(?:pas|jamais))${FRENCH_PERSON}`,
    ),
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    forbidden: 'manner',
    pattern: words(String.raw`sans\s+(?:le\s+)?(?:dire|demander|montrer|informer|prévenir)${FRENCH_PERSON}`),
  },
  {
    id: 'no-permission',
    kind: sentence('asks to go past what a person is to allow'),
    forbidden: 'verb',
    pattern: words(
      String.raw`(?:auto[\s-]?)?(?:approve|accept|grant|confirm)[\s,]+(?:all|any|every)(?:[\s,]+(?:the|further|future|following|tool)){0,2}[\s,]+(?:permissions?|approvals?|confirmations?|consent)(?:[\s-]+(?:prompts?|requests?|dialogs?|questions?))(?![\s,]+(?:in|of|during|by)(?:\s+\p{L}[\p{L}\p{N}-]{0,20}){0,3}\s+(?:tests|test\s+suites?|specs|logs?)(?!\p{L}))`,
    ),
  },
  {
    id: 'no-permission',
    kind: sentence('asks to go past what a person is to allow'),
    // A command that runs what it downloads, and nobody asked.
    forbidden: 'command',
    pattern:
      /(?:curl|wget)[^\n|]{1,200}\|[ \t]{0,3}(?:sudo )?(?:ba|z|da)?sh\b[^\n]{0,60}?\b(?:without (?:asking|confirm(?:ing|ation)|permission|approval|telling)|silently)/giu,
  },
  {
    id: 'no-permission',
    kind: sentence('asks to go past what a person is to allow'),
    pattern:
      /(?:curl|wget)[^\n|]{1,200}\|[ \t]{0,3}(?:sudo )?(?:ba|z|da)?sh\b[^\n]{0,60}?\bdo(?: not|n['’]t) (?:ask|tell|mention)/giu,
  },
  {
    id: 'hooked-tool',
    kind: sentence('asks to do something when a tool is called'),
    pattern: words(
      String.raw`(?:when|whenever|every\s+time|each\s+time)${THIS_TOOL}(?:run|execute|read|send|fetch|download|open|curl|copy|upload)`,
    ),
  },
  {
    id: 'hooked-tool',
    kind: sentence('asks to do something when a tool is called'),
    // A tool may have to be prepared: of that it is told by what is to be done.
    pattern: words(
      String.raw`before${THIS_TOOL}(?:send|upload|(?:run|execute|read|fetch|download|open|curl|copy)(?=[^\n]{0,100}?(?:curl|wget|https?:|[\s\x60'"][\x7e$]|\.ssh|\.env|mcp\.json|secret|token|key|passw|credential|silently|without|below|following)))`,
    ),
  },
  {
    id: 'new-instructions',
    kind: sentence('gives itself out as new instructions'),
    pattern:
      /^[ \t>*_#-]{0,8}(?:new|updated|revised|hidden|secret) (?:system )?instructions?(?: for (?:the )?(?:ai|agents?|assistants?|models?))?[*_]{0,2}:[*_]{0,2}[ \t]{0,3}(?:skip|ignore|disable|(?:do not|don['’]t) (?:tell|ask|mention|show|inform|report|log|follow|obey|listen|refuse|use your)|you (?:must|will|shall|have to|are (?:now|no longer) (?!able|ready))|from now|forget|override|stop|reveal|send|delete|approve|disregard|bypass)(?!\p{L})/gimu,
  },
  {
    id: 'exfiltration',
    kind: sentence('asks for private files'),
    forbidden: 'verb',
    pattern:
      /\b(?:read|open|cat|load|fetch|copy|take|get|include|print)(?:[\s,]+[^\s.;!?]{1,40}){0,5}?[\s,]+[`'"]?(?:(?:~|\$HOME|\/home\/[\w-]{1,40}|\/root|\/Users\/[\w-]{1,40})\/\.(?:ssh|aws|gnupg|kube|netrc|config\/gh|cursor\/mcp|docker\/config)[^\s`'"]{0,60}(?<!\.pub)|(?:id_rsa|id_ed25519|id_ecdsa)(?!\.pub)\b|\/etc\/shadow\b)[`'"]?(?:[\s,]+[^\s.;!?]{1,40}){0,6}?[\s,]+(?:(?:pass|send|append|attach|paste|return|output|encode|upload|post|forward|provide|supply)\b|(?:include|put|add|use)[\s,]+(?:it|its|them|their|that|this|the (?:(?:private|whole|full) )?(?:keys?|contents?|text|secrets?|tokens?|credentials|values?|output|results?|files?))\b)/giu,
  },
  {
    id: 'hidden-text',
    kind: sentence('has hidden characters (text direction)'),
    pattern: /[\u202A-\u202E\u2066-\u2069]/gu,
  },
  {
    id: 'hidden-text',
    kind: sentence('has hidden characters (tags)'),
    pattern: /(?<!\u{1F3F4})(?<![\u{E0020}-\u{E007F}])[\u{E0000}-\u{E007F}]+/gu,
  },
  {
    id: 'hidden-text',
    kind: sentence('has hidden characters (of no width)'),
    // One alone joins emoji, or letters of scripts that need it.
    pattern: /(?:\u200B|\u200C|\u200D|\uFEFF|[\u2060-\u2064]|[\u{1D173}-\u{1D17A}]){2,}/gu,
  },
  {
    id: 'hidden-text',
    kind: sentence('has hidden characters (variation selectors)'),
    pattern: /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu,
  },
];
