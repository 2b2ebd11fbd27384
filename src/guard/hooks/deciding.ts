import { type Platform, thisPlatform } from '../../core/locations';
import { compareText } from '../../core/text';
import { outlineOf } from '../kept/outlines';
import {
  type GuardDecision,
  type GuardFinding,
  type GuardRule,
  gravity,
  type HookCall,
  type RuleOutline,
  type RulesWhere,
  type ToolIntent,
} from '../model';
import { intentOf } from './intents';
import { folded } from './patterns';
import { occursPlainly } from './plain-patterns';
import { occasionKey, occasionOf, type SessionState } from './session-state';
import { Touched, type TouchedFile } from './touching';
import { DISK, type Disk, WorkspacePaths } from './workspace-files';

export interface DecisionSurroundings {
  /** Absolute; globs are relative to it. */
  workspace: string;
  state: SessionState;
  /** The real one unless told. */
  disk?: Disk | undefined;
  platform?: Platform | undefined;
}

/** That one rule speaks of, and whose content is searched for it. */
const MAX_FILES = 50;
const MAX_TEXT = 1_000_000;
/** Of one call, over all rules: what expressions cost is bounded by it. */
const MAX_SEARCHED = 2_000_000;
/** What `findOccurrences` looks at in one piece; longer lines are cut, with what two pieces have in common. */
const PIECE = 1_000;
const OVERLAP = 300;

/**
 * Which rules speak to a tool that is about to be used, and whether the person has to be asked: by a rule of level
 * DANGER for an edit or a command, unless the same edit was confirmed in this session. Reading asks nothing, and of a
 * tool that is not known nothing more is said than the rules for the files it names. What was told in this session is
 * not told again, except DANGER. The gravest first.
 */
export async function decide(
  call: HookCall,
  rules: readonly GuardRule[] | RulesWhere,
  { workspace, state, disk = DISK, platform = thisPlatform() }: DecisionSurroundings,
): Promise<GuardDecision> {
  const nothing: GuardDecision = { asked: [], told: [] };
  if (!call.tool) return nothing;
  const intent = intentOf(call.tool, platform.platform);
  if (intent.kind === 'read') return nothing;
  const touched = new Touched(intent, new WorkspacePaths(workspace, call.cwd, platform, disk), disk);
  const texts = new Texts(disk);
  const isPossible = (outline: RuleOutline) =>
    typeof outline === 'string' ? texts.hold(intent.texts, outline) : outline === null || touched.couldHold(outline);
  const possible =
    typeof rules === 'function' ? rules(isPossible) : rules.filter((rule) => isPossible(outlineOf(rule)));
  const found: GuardFinding[] = [];
  for (const rule of [...possible].sort((a, b) => gravity(a) - gravity(b) || compareText(a.keyword, b.keyword))) {
    for (const file of await filesOf(rule, intent, touched, texts)) found.push({ rule, ...file });
  }
  const isIn = (occasions: ReadonlySet<string>, finding: GuardFinding) =>
    occasions.has(occasionKey(occasionOf(finding)));
  const asks = (finding: GuardFinding) =>
    intent.kind === 'command' || (intent.kind === 'edit' && !isIn(state.consented, finding));
  const dangers = found.filter(({ rule }) => gravity(rule) === 0);
  const asked = dangers.filter(asks);
  const others = found.filter((finding) => gravity(finding.rule) > 0 && !isIn(state.told, finding));
  // What was consented to is not repeated beside a question.
  return { asked, told: asked.length > 0 ? others : [...dangers, ...others] };
}

/** What the rule speaks to: files, or undefined for the text of a command. */
async function filesOf(
  rule: GuardRule,
  intent: ToolIntent,
  touched: Touched,
  texts: Texts,
): Promise<Omit<GuardFinding, 'rule'>[]> {
  const { applies_to, matches } = rule;
  if (applies_to === null) {
    // A rule that names neither files nor text is for the session's start.
    if (matches === null || intent.kind === 'other' || !(await texts.match(rule, intent.texts))) return [];
    return intent.kind === 'command' ? [{ path: undefined }] : namesOf(touched.all().slice(0, MAX_FILES));
  }
  const files = touched.matching(applies_to, MAX_FILES);
  // Written or replaced, or stored where the file goes as a whole.
  if (files.length === 0 || matches === null || (await texts.match(rule, intent.texts))) return namesOf(files);
  const found: TouchedFile[] = [];
  for (const file of files) if (file.replaced && (await texts.matchFile(rule, file.absolute))) found.push(file);
  return namesOf(found);
}

function namesOf(files: readonly TouchedFile[]): Omit<GuardFinding, 'rule'>[] {
  return files.map(({ name, guessed }) => ({ path: name, ...(guessed && { guessed }) }));
}

interface SearchedText {
  /** As `folded` has it. */
  folded: string;
  lines?: { line: string; folded: string }[];
}

/** Searches for MATCHES: first for the text that every match needs, so that most expressions are never compiled. */
class Texts {
  private readonly known = new Map<string, SearchedText>();
  private readonly contents = new Map<string, string | undefined>();
  /** Characters that may still be searched: the gravest rules come first. */
  private left = MAX_SEARCHED;

  constructor(private readonly disk: Disk) {}

  /** Whether one of the texts holds what every match needs. */
  hold(texts: readonly string[], needs: string): boolean {
    return texts.some((text) => this.searched(text.slice(0, MAX_TEXT)).folded.includes(needs));
  }

  async match(rule: GuardRule, texts: readonly string[]): Promise<boolean> {
    for (const text of texts) if (await this.occurs(rule, text.slice(0, MAX_TEXT))) return true;
    return false;
  }

  async matchFile(rule: GuardRule, file: string): Promise<boolean> {
    if (!this.contents.has(file)) this.contents.set(file, this.disk.read(file));
    const text = this.contents.get(file);
    return text !== undefined && (await this.occurs(rule, text));
  }

  private async occurs({ matches, needs }: GuardRule, text: string): Promise<boolean> {
    if (matches === null || text === '') return false;
    const searched = this.searched(text);
    if (needs !== null && !searched.folded.includes(needs)) return false;
    searched.lines ??= text.split(/\r?\n/).map((line) => ({ line, folded: folded(line) }));
    const lines = searched.lines.filter((each) => each.line !== '' && (needs === null || each.folded.includes(needs)));
    const part = lines
      .flatMap(({ line }) => pieces(line))
      .join('\n')
      .slice(0, this.left);
    this.left -= part.length;
    if (part === '') return false;
    const plainly = needs === null ? undefined : occursPlainly(matches, part);
    if (plainly !== undefined) return plainly;
    const { findOccurrences } = await import('../../knowledge/applicability-occurrences');
    return (await findOccurrences(part, matches, { limit: 1 })).ranges.length > 0;
  }

  private searched(text: string): SearchedText {
    const known = this.known.get(text) ?? { folded: folded(text) };
    this.known.set(text, known);
    return known;
  }
}

/** A line that is too long to be searched at once. */
function pieces(line: string): string[] {
  if (line.length <= PIECE) return [line];
  const result: string[] = [];
  for (let at = 0; at < line.length; at += PIECE - OVERLAP) result.push(line.slice(at, at + PIECE));
  return result;
}
