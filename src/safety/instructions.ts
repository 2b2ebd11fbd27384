import { type Sentence, sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import type { InstructionFinding } from './model';
import { type Search, searched } from './searching';

/**
 * Text that speaks to an agent in place of telling it something. It is flagged for the person who reviews, and never
 * refused: a rule about such attacks quotes them. In time proportional to the text: repetitions are bounded.
 */

interface Form {
  id: string;
  kind: Sentence;
  pattern: RegExp;
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

const FORMS: readonly Form[] = [
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    pattern: words(
      String.raw`(?<!never\s)(?<!not\s)(?<!n['’]t\s)(?:ignore|disregard|forget|override|bypass|discard)(?:[\s,]+(?:the|of|about|everything|all|any|my|each|and|or|else)){0,4}[\s,]+${EARLIER}(?:[\s,]+(?:the|and|or|of|your|any|all|${EARLIER})){0,4}[\s,]+${TOLD}`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    pattern: words(
      String.raw`(?<!never\s)(?<!not\s)(?<!n['’]t\s)(?:ignore|disregard|forget)[\s,]+(?:everything|all|anything)(?:[\s,]+(?:that|you|was|were|have|been|said|told|written)){0,4}[\s,]+(?:above|before|so\s+far|previously|up\s+to\s+(?:now|this\s+point))`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    pattern: words(
      String.raw`(?:ignoriere|ignorieren\s+sie|vergiss|vergessen\s+sie|missachte|missachten\s+sie|umgehe|umgehen\s+sie|übergehe)(?:[\s,]+(?:alle|allen|die|deine|ihre|sämtliche|jetzt|bitte|von)){0,4}[\s,]+${FRUEHER}(?:[\s,]+(?:und|oder|${FRUEHER})){0,3}[\s,]+${GESAGT}`,
    ),
  },
  {
    id: 'ignore-instructions',
    kind: sentence('asks to ignore instructions'),
    pattern: words(
      String.raw`(?:ignoriere|vergiss|missachte)[\s,]+(?:alles|alle[sn]?)(?:[\s,]+(?:was|du|dir|bisher|wurde|gesagt)){0,5}[\s,]+(?:zuvor|bisher|oben|davor|vorher|gesagt)`,
    ),
  },
  {
    id: 'new-role',
    kind: sentence('gives the agent another role'),
    pattern: words(
      String.raw`(?:from\s+now\s+on,?\s+you|you)\s+are\s+(?:now|no\s+longer)\s+(?:an?|the|bound|in|my|free|called|named|dan)|(?:pretend|act\s+as\s+if)~(?:no|without)~(?:rules|restrictions|limits|guidelines|filters)|(?:enter|enable|activate)[\s,]+(?:developer|god|admin|dan|jailbreak|unrestricted)[\s-]+mode`,
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
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system-reminder|system_prompt|assistant|function_results|tool_result)>|^[ \t]{0,3}(?:#{1,4} {0,2})?(?:system|assistant)(?: (?:prompt|message|override))?[ \t]{0,2}:(?=[ \t]{0,3}(?:you|ignore|do|from|the (?:user|assistant)|new|always|never|du|ab|override))|(?<=\n\n)(?:Human|Assistant):(?= {0,2}\S)/gimu,
  },
  {
    id: 'hide-from-person',
    kind: sentence('asks to keep something from the person'),
    pattern: words(
      String.raw`(?:do\s+not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?|alert(?:ing)?|ask(?:ing)?)(?:[\s,]+(?:this|it|that|anything|any|of|to|about|the|these|instructions?)){0,4}[\s,]+(?:the\s+)?(?:user|human|person|developer|operator)(?!['’]s)(?![\s,]+(?:interface|names?|passwords?|ids?|accounts?|emails?|input|data|errors?|agent)\b)`,
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
    pattern:
      /(?<![\p{L}\p{N}_])(?:send|post|upload|exfiltrate|forward|transmit|leak|append|encode|schicke?|sende|übertrage|leite)(?:[\s,]+[^\s.;!?]{1,40}){0,8}?[\s,]+(?:(?:api[\s-]?)?keys?|tokens?|secrets?|credentials?|passwords?|env(?:ironment)?[\s-]variables|\.env|chat[\s-]?history|conversation|system[\s-]prompt|source[\s-]code|schlüssel|zugangsdaten|passwörter|geheimnisse|kennwörter|unterhaltung|quelltext)(?:[\s,]+[^\s.;!?]{1,40}){0,6}?[\s,]+(?:to|as|in|into|an|nach|als)[\s,]+(?:[^\s.;!?]{1,20}[\s,]+){0,3}?(?:https?:\/\/|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.|webhook|query[\s-]string)/giu,
  },
  {
    id: 'exfiltration',
    kind: sentence('asks for the instructions of the agent'),
    pattern: words(
      String.raw`(?:reveal|print|repeat|output|show|leak|dump)(?:[\s,]+(?:me|us|out|the|all|of|entire|full|exact|complete|verbatim)){0,5}[\s,]+your(?:[\s,]+(?:entire|full|initial|original|hidden|exact|complete|secret|own)){0,3}[\s,]+(?:system[\s-]+prompt|instructions|system[\s-]+message)|(?:gib|zeige|zeig|nenne|wiederhole)(?:[\s,]+(?:mir|uns|bitte|alle)){0,3}[\s,]+deine[nr]?(?:[\s,]+(?:gesamten?|ganzen?|geheimen?|ursprünglichen?)){0,2}[\s,]+(?:systemprompt|anweisungen|instruktionen)`,
    ),
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

const SEARCHES: readonly Search[] = FORMS.map(({ id, kind, pattern }) => (text) => {
  return Array.from(text.matchAll(pattern), ({ 0: passage, index }) => {
    return { id, kind, start: index, end: index + passage.length };
  });
});

/** All passages of a text that try to instruct agents, in their order, none within another. In short turns. */
export function findInstructions(text: string, signal?: AbortSignal): Promise<InstructionFinding[]> {
  return searched(text, () => SEARCHES, new Turns(signal));
}
