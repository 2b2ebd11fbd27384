import { type Platform, thisPlatform } from '../../core/locations';
import { compareText } from '../../core/text';
import type { RiskLevel } from '../../knowledge';
import { outlineOf } from '../kept/outlines';
import type { GuardDecision, GuardFinding, GuardRule, HookCall, RuleOutline, RulesWhere, ToolIntent } from '../model';
import { intentOf } from './intents';
import { folded } from './patterns';
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

const GRAVITY: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];
/** Files whose content is searched, for one rule. */
const MAX_FILES_SEARCHED = 50;
const MAX_TEXT = 1_000_000;
/** Of one call, over all rules: what expressions cost is bounded by it. */
const MAX_SEARCHED = 2_000_000;
/** What `findOccurrences` looks at in one piece; longer lines are cut, with what two pieces have in common. */
const PIECE = 1_000;
const OVERLAP = 300;
/** Of one rule. */
const MAX_PATHS = 50;

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
  const nothing: GuardDecision = { outcome: 'none', findings: [] };
  if (!call.tool) return nothing;
  const intent = intentOf(call.tool, platform.platform);
  if (intent.kind === 'read') return nothing;
  const places = new WorkspacePaths(workspace, call.cwd, platform, disk);
  const touched = new Touched(intent, places, disk);
  const texts = new Texts(disk);
  const isPossible = (outline: RuleOutline) =>
    typeof outline === 'string' ? texts.hold(intent.texts, outline) : outline === null || touched.couldHold(outline);
  const possible =
    typeof rules === 'function' ? rules(isPossible) : rules.filter((rule) => isPossible(outlineOf(rule)));
  const gravest = [...possible].sort((a, b) => gravity(a) - gravity(b));
  const found = await speaking(gravest, intent, touched, texts);
  const isNew = (finding: GuardFinding) => !state.told.has(occasionKey(occasionOf(finding)));
  const asks = (finding: GuardFinding) =>
    gravity(finding.rule) === 0 &&
    (intent.kind === 'command' || (intent.kind === 'edit' && !state.consented.has(occasionKey(occasionOf(finding)))));
  const isAsked = found.some(asks);
  const findings = found
    .filter((finding) => (gravity(finding.rule) === 0 ? asks(finding) || !isAsked : isNew(finding)))
    .sort((a, b) => gravity(a.rule) - gravity(b.rule) || compareText(a.rule.keyword, b.rule.keyword));
  if (findings.length === 0) return nothing;
  return { outcome: isAsked ? 'ask' : 'tell', findings };
}

/** 0 for DANGER. */
export function gravity({ risks }: GuardRule): number {
  return Math.min(...risks.map(({ level }) => GRAVITY.indexOf(level)).map((at) => (at < 0 ? GRAVITY.length : at)));
}

async function speaking(
  rules: readonly GuardRule[],
  intent: ToolIntent,
  touched: Touched,
  texts: Texts,
): Promise<GuardFinding[]> {
  const found: GuardFinding[] = [];
  const seen = new Set<string>();
  for (const rule of rules) {
    for (const path of await pathsOf(rule, intent, touched, texts)) {
      const finding = { rule, path };
      const key = occasionKey(occasionOf(finding));
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(finding);
    }
  }
  return found;
}

/** What the rule speaks to: files, or undefined for the text of a command. */
async function pathsOf(
  rule: GuardRule,
  intent: ToolIntent,
  touched: Touched,
  texts: Texts,
): Promise<(string | undefined)[]> {
  if (rule.applies_to === null) {
    // A rule that names neither files nor text is for the session's start.
    if (rule.matches === null || intent.kind === 'other') return [];
    if (intent.kind === 'command') return (await texts.match(rule, intent.texts)) ? [undefined] : [];
    return (await texts.match(rule, intent.texts)) ? namesOf(touched.all()) : [];
  }
  const files = touched.matching(rule.applies_to, rule.matches === null ? MAX_PATHS : MAX_FILES_SEARCHED);
  if (files.length === 0) return [];
  return namesOf(rule.matches === null ? files : await matching(rule, intent, files, texts));
}

/** Those of the files in which the rule's text is written, replaced or stored. */
async function matching(
  rule: GuardRule,
  intent: ToolIntent,
  files: readonly TouchedFile[],
  texts: Texts,
): Promise<TouchedFile[]> {
  if (files.length === 0 || (await texts.match(rule, intent.texts))) return [...files];
  const found: TouchedFile[] = [];
  for (const file of files.filter(({ replaced }) => replaced).slice(0, MAX_FILES_SEARCHED)) {
    if (await texts.matchFile(rule, file.absolute)) found.push(file);
  }
  return found;
}

function namesOf(files: readonly TouchedFile[]): string[] {
  return files.slice(0, MAX_PATHS).map(({ name }) => name);
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
