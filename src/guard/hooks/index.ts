import { type Platform, thisPlatform } from '../../core/locations';
import {
  type GuardFinding,
  type GuardIndex,
  type GuardRecord,
  type GuardRule,
  gravity,
  type HookCall,
  type OpenGuardIndex,
} from '../model';
import {
  answerContext,
  answerDecision,
  answerReminder,
  contextText,
  type HookOutput,
  REMINDER,
  repeatedText,
  takesContextBefore,
} from './answering';
import { decide } from './deciding';
import { intentOf, isKaizen } from './intents';
import {
  emptyState,
  type Occasion,
  occasionKey,
  occasionOf,
  readState,
  remember,
  ruleKey,
  type SessionEvent,
  type SessionState,
  tidySessions,
} from './session-state';
import { DISK, type Disk, WorkspacePaths } from './workspace-files';

/** What an agent program's hooks ask, and what they are answered. Loads no store. */
export { BRIEF_TOKENS, briefText, MAX_BRIEF_TOKENS, MIN_BRIEF_TOKENS } from '../brief';
export {
  DamagedIndex,
  freshness,
  type GuardPlace,
  guardPlace,
  indexVersion,
  openGuardIndex,
  readGuardIndex,
  stampsGrew,
} from '../kept';
export * from '../model';
export type { HookOutput } from './answering';
export { decide } from './deciding';
export { MAX_INPUT, readHookInput } from './input';
export { intentOf } from './intents';
export { appendRecord, readRecords } from './log';
export { literalOf } from './patterns';
export { plain, quoted } from './quoting';
export { emptyState, readState, remember, type SessionState } from './session-state';

export interface HookSurroundings {
  /** Absolute; globs are relative to it. */
  workspace: string;
  /** The guard's, where sessions are remembered; it need not exist. */
  directory: string;
  /** What a session begins with, cut to its budget; empty where nothing is stored. Asked for only when it is needed. */
  brief(): string;
  /** Whether a session that stored no summary is reminded of it at its end, once. */
  reminds: boolean;
  /** The real ones unless told. */
  now?: Date | undefined;
  disk?: Disk | undefined;
  platform?: Platform | undefined;
}

export interface HookResult {
  /** Goes to standard output as JSON. */
  output: HookOutput;
  /** For the log; nothing where nothing was said. */
  record?: GuardRecord | undefined;
}

/** So many edits make a session worth a summary. */
const EDITS_WORTH_A_SUMMARY = 3;
/** What is noted of one call. */
const MAX_OCCASIONS = 100;

/** Answers a call, and remembers what it says of its session. Throws nothing but what an index says that is opened and damaged. */
export async function onHook(
  call: HookCall,
  index: GuardIndex | OpenGuardIndex,
  around: HookSurroundings,
): Promise<HookResult> {
  // What cannot be told apart from other sessions is not remembered: nobody's consent is another's.
  const isKnown = call.session_id !== '';
  const state = isKnown ? readState(around.directory, call.session_id) : emptyState();
  const now = around.now ?? new Date();
  const began = (): SessionEvent => ({ kind: 'began', at: now.toISOString(), sessions: sessionsHash(index) });
  const events: SessionEvent[] = state.began === undefined ? [began()] : [];
  const hook = new Hook(call, index, around, state, events, now);
  const result = await hook.answer();
  try {
    if (isKnown) remember(around.directory, call.session_id, events);
    if (call.event === 'session-start') tidySessions(around.directory, now.getTime());
  } catch {
    // What cannot be remembered is asked and told again.
  }
  return result;
}

type Tool = NonNullable<HookCall['tool']>;

class Hook {
  constructor(
    private readonly call: HookCall,
    private readonly index: GuardIndex | OpenGuardIndex,
    private readonly around: HookSurroundings,
    private readonly state: SessionState,
    /** What is to be remembered. */
    private readonly events: SessionEvent[],
    private readonly now: Date,
  ) {}

  answer(): Promise<HookResult> | HookResult {
    switch (this.call.event) {
      case 'session-start':
        return this.sessionStart();
      case 'pre-tool-use':
        return this.preToolUse();
      case 'post-tool-use':
        return this.postToolUse();
      case 'pre-compact':
        this.events.push({ kind: 'compacted' });
        return { output: {} };
      case 'stop':
        return this.stop();
    }
  }

  /** A session that is resumed still has what it began with in front of it, unless that has changed since. */
  private sessionStart(): HookResult {
    const text = this.around.brief();
    const hash = hashOf(text);
    if (this.call.source === 'resume' && this.state.brief === hash) return { output: {} };
    const earlier = this.call.source === 'compact' ? this.toldEarlier() : [];
    const all = [text, repeatedText(earlier)].filter((each) => each !== '').join('\n\n');
    this.events.push({ kind: 'briefed', hash });
    if (all === '') return { output: {} };
    return { output: answerContext(this.call, all), record: this.record('briefed', earlier, []) };
  }

  /** The rules that were told before the memory was shortened and still hold, the gravest first. */
  private toldEarlier(): GuardRule[] {
    const keys = new Set([...this.state.told, ...this.state.toldBefore].map((key) => key.split('\n')[0]));
    return this.index.rules.filter((rule) => keys.has(ruleKey(rule))).sort((a, b) => gravity(a) - gravity(b));
  }

  private async preToolUse(): Promise<HookResult> {
    const { call, index, around, state } = this;
    const { tool } = call;
    if (!tool) return { output: {} };
    const { workspace, disk, platform } = around;
    const rules = 'rulesWhere' in index ? index.rulesWhere : index.rules;
    const decision = await decide(call, rules, { workspace, state, disk, platform });
    const { asked, told } = decision;
    const all = [...asked, ...told];
    if (all.length === 0) return { output: {} };
    const { name, use_id = null } = tool;
    if (asked.length > 0) this.events.push({ kind: 'asked', use_id, tool: name, occasions: noted(asked) });
    if (takesContextBefore(call)) this.events.push({ kind: 'told', occasions: noted(all) });
    else this.events.push({ kind: 'postponed', use_id, line: this.lineOf(tool), occasions: noted(all) });
    const spoken = [...new Set(all.map(({ rule }) => rule))];
    const paths = all.flatMap(({ path }) => path ?? []);
    const record = this.record(asked.length > 0 ? 'ask' : 'tell', spoken, paths);
    return { output: answerDecision(call, decision), record };
  }

  private postToolUse(): HookResult {
    const { call } = this;
    const { tool } = call;
    if (!tool) return { output: {} };
    const output = this.postponed(tool);
    if (call.succeeded === false) return { output };
    const platform = this.around.platform ?? thisPlatform();
    if (/store_session_summary$/.test(tool.name) && isKaizen(tool.name)) this.events.push({ kind: 'summarised' });
    if (intentOf(tool, platform.platform).kind === 'edit') this.events.push({ kind: 'edited' });
    const question = this.answered(tool);
    if (!question) return { output };
    this.events.push({ kind: 'consented', use_id: question.use_id, occasions: question.occasions });
    return { output, record: this.record('went through', ...this.rulesOf(question.occasions)) };
  }

  /** The question about this very call; where it was asked without an id, the last one about this tool and these files. */
  private answered(tool: Tool): SessionState['asked'][number] | undefined {
    const { asked } = this.state;
    const own = tool.use_id === undefined ? undefined : asked.find(({ use_id }) => use_id === tool.use_id);
    if (own) return own;
    const isAbout = this.aboutWritten(tool);
    return asked.findLast(
      ({ use_id, tool: name, occasions }) => use_id === null && name === tool.name && occasions.every(isAbout),
    );
  }

  /** Which occasions are about what this tool writes, as the question named them: that another file of such a name was written says nothing of this one. */
  private aboutWritten(tool: Tool): (occasion: Occasion) => boolean {
    const { workspace, disk = DISK, platform = thisPlatform() } = this.around;
    const intent = intentOf(tool, platform.platform);
    // A tool that reads and writes may have read this time.
    if (intent.kind === 'read') return () => false;
    const places = new WorkspacePaths(workspace, this.call.cwd, platform, disk);
    const written = intent.paths.flatMap((path) => {
      const absolute = places.absolute(path);
      return absolute === undefined ? [] : places.names(absolute);
    });
    return ({ path }) =>
      path === '' || written.some((name) => name === '' || path === name || path.startsWith(`${name}/`));
  }

  /** What could not be told before this call of the tool; of one that never ran nothing is told. */
  private postponed(tool: Tool): HookOutput {
    const { postponed } = this.state;
    if (postponed.length === 0) return {};
    const line = this.lineOf(tool);
    const isAbout = this.aboutWritten(tool);
    const due = postponed.flatMap((each) => {
      if (each.use_id !== null && tool.use_id !== undefined) return each.use_id === tool.use_id ? each.occasions : [];
      if (each.line !== null || line !== null) return each.line === line ? each.occasions : [];
      return each.occasions.filter(isAbout);
    });
    if (due.length === 0) return {};
    const occasions = [...new Map(due.map((each) => [occasionKey(each), each])).values()];
    const findings = this.index.rules.flatMap((rule) =>
      occasions
        .filter((occasion) => occasion.rule === ruleKey(rule))
        .map(({ path, unsure }) => ({ rule, path: path === '' ? undefined : path, unsure })),
    );
    this.events.push({ kind: 'told', occasions });
    return findings.length === 0 ? {} : answerContext(this.call, contextText(findings, 'done'));
  }

  /** A command as a hash; null for what is none. */
  private lineOf(tool: Tool): string | null {
    const { platform } = this.around.platform ?? thisPlatform();
    const { kind, texts } = intentOf(tool, platform);
    return kind === 'command' ? hashOf(texts.join('\n')) : null;
  }

  private stop(): HookResult {
    const { call, state, around } = this;
    const isDue =
      around.reminds &&
      call.stop_hook_active !== true &&
      !state.reminded &&
      !state.summarised &&
      state.edits >= EDITS_WORTH_A_SUMMARY &&
      !this.hasSummary();
    if (!isDue) return { output: {} };
    this.events.push({ kind: 'reminded' });
    return { output: answerReminder(call, REMINDER), record: this.record('reminded', [], []) };
  }

  /** Whether a summary was stored since the session began, by whomever. */
  private hasSummary(): boolean {
    const { sessions } = this.state;
    return sessions !== undefined && sessions !== sessionsHash(this.index);
  }

  private rulesOf(occasions: readonly Occasion[]): [GuardRule[], string[]] {
    const keys = new Set(occasions.map(({ rule }) => rule));
    const rules = this.index.rules.filter((rule) => keys.has(ruleKey(rule)));
    return [rules, occasions.map(({ path }) => path).filter((path) => path !== '')];
  }

  private record(outcome: GuardRecord['outcome'], rules: readonly GuardRule[], paths: readonly string[]): GuardRecord {
    const { event, client, session_id, tool } = this.call;
    return {
      at: this.now.toISOString(),
      event,
      client,
      session_id,
      tool: tool?.name ?? null,
      use_id: tool?.use_id ?? null,
      outcome,
      rules: rules.slice(0, MAX_OCCASIONS).map(({ scope_id, category, keyword, revision, risks }) => {
        return { scope_id, category, keyword, revision, level: risks[0]!.level };
      }),
      paths: [...new Set(paths)].slice(0, MAX_OCCASIONS),
    };
  }
}

/** Of what they say: an index that also knows who stored them has not changed for it. */
function sessionsHash({ brief }: GuardIndex): string {
  return hashOf(JSON.stringify(brief.sessions.map(({ author: _, origin: __, ...session }) => session)));
}

/** Tells whether a text is another one (FNV-1a, twice); nobody has a reason to make two that are alike. */
function hashOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x050c5d1f];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code ^ (one >>> 16), 0x01000193);
  }
  return [one, two, text.length].map((each) => (each >>> 0).toString(16)).join('-');
}

function noted(findings: readonly GuardFinding[]): Occasion[] {
  return findings.slice(0, MAX_OCCASIONS).map(occasionOf);
}
