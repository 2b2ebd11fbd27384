import { type AppliesTo, parseAppliesTo } from '../core/globs';
import { compareText } from '../core/text';
import { ApplicabilityIndex } from './applicability-index';
import { patternFault } from './applicability-occurrences';
import type { ApplicabilityFault, FileRule, FileWarning, Metaknowledge, ResolvedEntry, Scope } from './model';
import type { Resolution } from './resolution';
import { gravity } from './risk';
import { entriesTopic } from './schema';
import type { Scopes } from './scopes';
import { type Stores, storeOf } from './stores';

/** An entry of one scope that names files, whether or not it holds in the end. */
interface Rule {
  keyword: string;
  category: string;
  scope_id: string;
  applies_to: AppliesTo;
  /** What its content seems to say, by `gravity`: an indicator in code counts, too. */
  gravity: number;
  /** Read from the history when the entry first matches. */
  revision?: number;
}

interface RulesOfScope {
  /** Of the scope's entries, when they were read. */
  version: number;
  index: ApplicabilityIndex<Rule>;
  /** What APPLIES_TO said, so that a change of one entry does not read the globs of all others again. */
  parsed: Map<string, AppliesTo>;
}

type Which = 'with risk' | 'without risk';

/** How long filing goes on before the event loop has its turn. */
const SLICE_MILLISECONDS = 8;
/** Who writes all the time gets the rules read in one go. */
const MAX_RESTARTS = 3;

/**
 * Which rules hold for a file (metaknowledge APPLIES_TO). Each scope's globs are read and filed once and kept until an
 * entry of that scope changes, whoever changes it; whether it is in effect is asked of the resolution, for the few
 * that match.
 */
export class Applicability {
  private readonly remembered: Record<Which, Map<string, RulesOfScope>> = {
    'with risk': new Map(),
    'without risk': new Map(),
  };

  private preparing: Promise<void> = Promise.resolve();

  constructor(
    private readonly stores: Stores,
    private readonly scopes: Scopes,
    private readonly resolution: Resolution,
  ) {}

  /** See `KnowledgePart.prepareWarnings`. One after the other: who comes second finds what the first has read. */
  prepare(scopeId: string): Promise<void> {
    const prepared = this.preparing.then(() => this.prepareNow(scopeId));
    this.preparing = prepared.catch(() => undefined);
    return prepared;
  }

  /** See `KnowledgePart.warningsFor`. */
  warnings(scopeId: string, path: string, limit = Number.POSITIVE_INFINITY): FileWarning[] {
    return this.rules(scopeId, path, 'with risk', limit)
      .sort((a, b) => gravity(a.risks) - gravity(b.risks) || byName(a, b))
      .slice(0, limit);
  }

  /** See `KnowledgePart.rulesFor`. */
  allRules(scopeId: string, path: string): FileRule[] {
    const others = this.rules(scopeId, path, 'without risk').sort(byName);
    return [...this.warnings(scopeId, path), ...others];
  }

  private async prepareNow(scopeId: string): Promise<void> {
    let sliceStart = performance.now();
    for (const scope of this.scopes.chain(scopeId)) {
      for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
        const rules = this.read(scope, 'with risk');
        for (const _ of rules) {
          if (performance.now() - sliceStart < SLICE_MILLISECONDS) continue;
          await new Promise((resolve) => setImmediate(resolve));
          sliceStart = performance.now();
        }
        if (this.current(scope, 'with risk')) break;
      }
    }
  }

  /** Those that hold, as far as a limit: then the gravest are read first, and the others not at all. */
  private rules(scopeId: string, path: string, which: Which, limit = Number.POSITIVE_INFINITY): FileRule[] {
    const chain = this.scopes.chain(scopeId);
    const found = chain.flatMap((scope) => this.rulesOf(scope, which).matching(path));
    if (found.length <= limit) return this.holding(scopeId, found);
    found.sort((a, b) => a.gravity - b.gravity);
    const held: FileRule[] = [];
    for (let from = 0; from < found.length && held.length < limit; from += limit) {
      held.push(...this.holding(scopeId, found.slice(from, from + limit)));
    }
    return held;
  }

  /** The rules whose entries are in effect. */
  private holding(scopeId: string, rules: readonly Rule[]): FileRule[] {
    if (rules.length === 0) return [];
    const keywords = rules.map(({ keyword }) => keyword);
    const inEffect = new Map(
      this.resolution
        .inEffect(scopeId, keywords)
        .map((entry) => [ruleId({ ...entry, scope_id: entry.source_scope }), entry]),
    );
    return rules.flatMap((rule) => {
      const entry = inEffect.get(ruleId(rule));
      return entry ? [this.fileRule(rule, entry)] : [];
    });
  }

  private fileRule(rule: Rule, entry: ResolvedEntry): FileRule {
    rule.revision ??= this.lastRevision(rule, entry);
    const matches = entry.metaknowledge.MATCHES?.trim();
    return {
      ...entry,
      applies_to: rule.applies_to.written,
      ...(matches ? { matches } : {}),
      revision: rule.revision,
    };
  }

  private lastRevision({ scope_id, category, keyword }: Rule, { source_tier }: ResolvedEntry): number {
    const row = storeOf(this.stores, source_tier)
      .read()
      .get<{ number: number }>(
        'SELECT max(number) AS number FROM revision WHERE scope_id = ? AND category = ? AND keyword = ?',
        [scope_id, category, keyword],
      );
    return row?.number ?? 0;
  }

  private rulesOf(scope: Scope, which: Which): ApplicabilityIndex<Rule> {
    for (const _ of this.read(scope, which));
    return this.current(scope, which)!.index;
  }

  /** The scope's rules when they are still what is stored. */
  private current(scope: Scope, which: Which): RulesOfScope | undefined {
    const version = storeOf(this.stores, scope.tier).read().versionOf(entriesTopic(scope.id));
    const known = this.remembered[which].get(scope.id);
    return known?.version === version ? known : undefined;
  }

  /** Reads and files the scope's rules, unless they are current; steps, so that the caller can pause in between. */
  private *read(scope: Scope, which: Which): Generator<void> {
    if (this.current(scope, which)) return;
    const known = this.remembered[which].get(scope.id);
    const reader = storeOf(this.stores, scope.tier).read();
    const version = reader.versionOf(entriesTopic(scope.id));
    const rows = reader.all<{ keyword: string; category: string; globs: string; gravity: number }>(
      `SELECT e.keyword, c.name AS category, json_extract(e.metaknowledge, '$.APPLIES_TO') AS globs,
         CASE WHEN instr(e.content, 'DANGER:') > 0 THEN 0 WHEN instr(e.content, 'WARNING:') > 0 THEN 1 ELSE 2 END AS gravity
       FROM entry e JOIN category c ON c.id = e.category_id
       WHERE e.scope_id = ? AND e.risks ${which === 'with risk' ? '> 0' : '= 0'} AND globs IS NOT NULL`,
      [scope.id],
    );
    const rules: RulesOfScope = { version, index: new ApplicabilityIndex(), parsed: new Map() };
    for (const { keyword, category, globs, gravity } of rows) {
      const applies_to = known?.parsed.get(globs) ?? rules.parsed.get(globs) ?? parseAppliesTo(globs);
      rules.parsed.set(globs, applies_to);
      rules.index.add({ keyword, category, scope_id: scope.id, applies_to, gravity });
      yield;
    }
    this.remembered[which].set(scope.id, rules);
  }
}

function byName(a: FileRule, b: FileRule): number {
  return compareText(a.keyword, b.keyword) || compareText(a.category, b.category);
}

function ruleId({ scope_id, category, keyword }: Pick<Rule, 'scope_id' | 'category' | 'keyword'>): string {
  return JSON.stringify([scope_id, category, keyword]);
}

/** See `StoreOverwriteResult`. */
export function untied(before: Metaknowledge = {}, now: Metaknowledge): { untied?: Metaknowledge } {
  const lost = Object.entries(before).filter(([key]) => /^(APPLIES_TO|MATCHES)$/.test(key) && now[key] === undefined);
  return lost.length > 0 ? { untied: Object.fromEntries(lost) } : {};
}

/** See `KnowledgePart.applicabilityFaults`. */
export function applicabilityFaults({ APPLIES_TO, MATCHES }: Metaknowledge): ApplicabilityFault[] {
  const globs = APPLIES_TO === undefined ? [] : parseAppliesTo(APPLIES_TO).faults;
  const pattern = MATCHES === undefined ? undefined : patternFault(MATCHES.trim());
  return [
    ...globs.map((message) => ({ key: 'APPLIES_TO', message: String(message) }) as const),
    ...(pattern === undefined ? [] : [{ key: 'MATCHES', message: pattern } as const]),
  ];
}
