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
import { type Occurs, Texts } from './searching';
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

/**
 * Which rules speak to a tool that is about to be used, and whether the person has to be asked: by a rule of level
 * DANGER for an edit or a command, unless the same edit was confirmed in this session. Reading asks nothing, and of a
 * tool that is not known nothing more is said than the rules for the files it names. What was told in this session is
 * not told again, except DANGER. Where it cannot be told whether MATCHES occurs, a rule that names files speaks as if it
 * had none, and one that names none tells, once. The gravest first.
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
  for (const rule of [...possible].sort(
    (a, b) => gravity(a) - gravity(b) || compareText(a.keyword, b.keyword) || compareText(a.category, b.category),
  )) {
    for (const file of await filesOf(rule, intent, touched, texts)) found.push({ rule, ...file });
  }
  const isIn = (occasions: ReadonlySet<string>, finding: GuardFinding) =>
    occasions.has(occasionKey(occasionOf(finding)));
  const asks = (finding: GuardFinding) =>
    intent.kind === 'command' || (intent.kind === 'edit' && !isIn(state.consented, finding));
  const isDanger = ({ rule, unsure }: GuardFinding) => gravity(rule) === 0 && !(unsure && rule.applies_to === null);
  const dangers = found.filter(isDanger);
  const asked = dangers.filter(asks);
  const others = found.filter((finding) => !isDanger(finding) && !isIn(state.told, finding));
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
    if (matches === null || intent.kind === 'other') return [];
    const occurs = await texts.match(rule, intent.texts);
    if (occurs === 'no') return [];
    const files = touched.all().slice(0, MAX_FILES);
    const isElsewhere = intent.kind === 'edit' && files.length === 0;
    if (occurs !== 'yes') return isElsewhere ? [] : [{ path: undefined, unsure: occurs }];
    return intent.kind === 'command' ? [{ path: undefined }] : namesOf(files);
  }
  const files = touched.matching(applies_to, MAX_FILES);
  if (files.length === 0 || matches === null) return namesOf(files);
  // Written or replaced, or stored where the file goes as a whole.
  const occurs = await texts.match(rule, intent.texts);
  if (occurs !== 'no') return namesOf(files, occurs);
  const found: Omit<GuardFinding, 'rule'>[] = [];
  for (const file of files) {
    const stored = file.replaced ? await texts.matchFile(rule, file.absolute) : 'no';
    if (stored !== 'no') found.push(...namesOf([file], stored));
  }
  if (found.length > 0 || !touched.mayMatchMore(applies_to, MAX_FILES)) return found;
  return namesOf(files, 'unsearched');
}

function namesOf(files: readonly TouchedFile[], occurs: Occurs = 'yes'): Omit<GuardFinding, 'rule'>[] {
  const unsure = occurs === 'yes' || occurs === 'no' ? undefined : occurs;
  return files.map(({ name, guessed }) => ({ path: name, ...(guessed && { guessed }), ...(unsure && { unsure }) }));
}
