import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import { type Reader, rehearse, type Store, type Transaction } from '../store';
import { checkAuthor, MAX_EVIDENCE, tooMuchEvidence } from './checks';
import type { Added, Area, Relation, RelationChange, RelationEnds, RelationInput, RelationsImported } from './model';
import {
  deleteAside,
  deleteRelations,
  deleteWithin,
  insertRelation,
  isNamed,
  moveEnds,
  moveEvidence,
  refuseTooMany,
  relationBetween,
  relationsAt,
  relationWithId,
  replaceRelation,
} from './rows';

/** What one transaction takes in: it holds everybody up. */
const TAKEN_AT_ONCE = 100;

/** A relation between ends that were found to be there. */
export type FoundInput = Omit<RelationInput, 'evidence'> & { evidence?: readonly string[] | undefined };

/** Every change of stored relations: one transaction of the store that they belong to. */
export class Writing {
  private readonly stores: readonly Store[];

  constructor(
    private readonly workspace: Store,
    private readonly shared: Store,
    private readonly ends: Pick<RelationEnds, 'isOfWorkspace'>,
    private readonly clock: Clock,
  ) {
    this.stores = [...new Set([workspace, shared])];
  }

  async add(input: FoundInput, change: RelationChange): Promise<Added> {
    const author = checkAuthor(change.author);
    return commit(this.storeFor(input), change, (transaction) => {
      const known = this.known(transaction, input);
      if (!known) {
        const relation = this.made(input, author);
        insertRelation(transaction, relation);
        return { relation, status: 'added' };
      }
      const relation = withTakenOver(known, input, author);
      if (!relation) return { relation: known, status: 'unchanged' };
      replaceRelation(transaction, relation);
      return { relation, status: 'updated', previous: known };
    });
  }

  async remove(id: string, change: RelationChange): Promise<Relation> {
    checkAuthor(change.author);
    const store = this.stores.find((each) => relationWithId(each.read(), id));
    if (!store) throw unknownRelation(id);
    return commit(store, change, (transaction) => {
      const relation = relationWithId(transaction, id);
      if (!relation) throw unknownRelation(id);
      deleteRelations(transaction, [id]);
      return relation;
    });
  }

  async restore(relation: Relation, change: RelationChange): Promise<void> {
    checkAuthor(change.author);
    await commit(this.storeFor(relation), change, (transaction) => {
      const between = relationBetween(transaction, relation);
      if (between && between.relation.id !== relation.id && !between.isAside) return;
      if (between) deleteRelations(transaction, [between.relation.id]);
      replaceRelation(transaction, relation);
    });
  }

  /** Of relations whose ends are here, in pieces. */
  async import(
    relations: readonly Relation[],
    overwrite: boolean,
    change: RelationChange,
  ): Promise<Omit<RelationsImported, 'left_out'>> {
    const counts = { added: 0, updated: 0, unchanged: 0, kept: 0 };
    const turns = new Turns();
    let { signal } = change;
    for (const store of this.stores) {
      const own = relations.filter((relation) => this.storeFor(relation) === store);
      const take = (transaction: Transaction, some: readonly Relation[]) => {
        for (const relation of some) counts[takeIn(transaction, relation, overwrite)]++;
      };
      if (own.length === 0) continue;
      await this.refuseWithoutRoom(store.read(), own, turns);
      // Once some of it is stored, the rest is as well: whoever gives up is told that nothing was changed.
      for (let from = 0; from < own.length; from += TAKEN_AT_ONCE) {
        const some = own.slice(from, from + TAKEN_AT_ONCE);
        await commit(store, { ...change, signal }, (transaction) => take(transaction, some));
        signal = undefined;
        await turns.pause();
      }
    }
    return counts;
  }

  /** Before the first of many is stored. Throws `relations_full`. */
  private async refuseWithoutRoom(reader: Reader, relations: readonly Relation[], turns: Turns): Promise<void> {
    let more = 0;
    for (const relation of relations) {
      if (!relationBetween(reader, relation)) more++;
      await turns.pause();
    }
    refuseTooMany(reader, more);
  }

  async moved(from: string, to: string, change: RelationChange): Promise<void> {
    checkAuthor(change.author);
    if (from === to) return;
    for (const store of this.stores) {
      if (!isNamed(store.read(), from)) continue;
      const leaving = await commit(store, change, (transaction) => this.move(transaction, store, from, to));
      // First there, then here: whoever is killed in between leaves it in both, under one id.
      for (const relation of leaving) {
        await commit(this.storeFor(relation), change, (transaction) => {
          if (!relationBetween(transaction, relation)) replaceRelation(transaction, relation);
        });
      }
      const ids = leaving.map(({ id }) => id);
      if (ids.length > 0) await commit(store, change, (transaction) => deleteRelations(transaction, ids));
    }
  }

  async forget(areas: readonly Area[], change: RelationChange): Promise<number> {
    checkAuthor(change.author);
    return this.inEach(change, (transaction) => deleteWithin(transaction, areas));
  }

  /** Deletes all that was put aside, but for what leads to something whose address begins with `except`. */
  async deleteAside(except: string, change: RelationChange): Promise<number> {
    checkAuthor(change.author);
    return this.inEach(change, (transaction) => deleteAside(transaction, { except }));
  }

  /** Moves what stays in the store; answers what belongs to the other one from now on. */
  private move(transaction: Transaction, store: Store, from: string, to: string): Relation[] {
    moveEvidence(transaction, from, to);
    const leaving: Relation[] = [];
    const at = (uri: string) => (uri === from ? to : uri);
    for (const { relation: before, isAside } of relationsAt(transaction, from)) {
      const relation = { ...before, source: at(before.source), target: at(before.target) };
      // What is aside is answered by neither store: it may stay where it is.
      if (!isAside && this.storeFor(relation) !== store) {
        leaving.push(relation);
        continue;
      }
      const isThere = relation.source === relation.target || relationBetween(transaction, relation) !== undefined;
      if (isThere) deleteRelations(transaction, [before.id]);
      else moveEnds(transaction, relation);
    }
    return leaving;
  }

  private async inEach(change: RelationChange, work: (transaction: Transaction) => number): Promise<number> {
    let count = 0;
    for (const store of this.stores) count += await commit(store, change, work);
    return count;
  }

  /** What is said already, seen from either end where it holds both ways. What is aside makes room. */
  private known(transaction: Transaction, input: FoundInput): Relation | undefined {
    const { source, target, type, bidirectional } = input;
    const along = relationBetween(transaction, { source, target, type });
    if (along && !along.isAside) return along.relation;
    if (along) deleteRelations(transaction, [along.relation.id]);
    const against = relationBetween(transaction, { source: target, target: source, type });
    if (!against || against.isAside) return undefined;
    return bidirectional || against.relation.bidirectional ? against.relation : undefined;
  }

  private made(input: FoundInput, author: string): Relation {
    const { source, target, type, confidence = 1, bidirectional = false, context = '' } = input;
    const { created_by = 'manual', evidence = [] } = input;
    const created_at = isoTime(this.clock.now());
    return {
      ...{ id: randomUUID(), source, target, type, confidence, bidirectional, context, created_by },
      ...{ evidence: [...new Set(evidence)], author, created_at, origin: 'stored' },
    };
  }

  private storeFor({ source, target }: Pick<Relation, 'source' | 'target'>): Store {
    return this.ends.isOfWorkspace(source) || this.ends.isOfWorkspace(target) ? this.workspace : this.shared;
  }
}

/** What a file says: what somebody says otherwise here stays, unless it is to be overwritten. */
function takeIn(
  transaction: Transaction,
  relation: Relation,
  overwrite: boolean,
): keyof Omit<RelationsImported, 'left_out'> {
  const between = relationBetween(transaction, relation);
  // What is aside makes room.
  if (between?.isAside) deleteRelations(transaction, [between.relation.id]);
  const known = between?.isAside ? undefined : between?.relation;
  if (known) {
    if (saysTheSame(known, relation)) return 'unchanged';
    if (!overwrite) return 'kept';
    deleteRelations(transaction, [known.id]);
    replaceRelation(transaction, { ...relation, id: known.id });
    return 'updated';
  }
  // The same one leads elsewhere here: it was moved.
  if (relationWithId(transaction, relation.id)) return 'kept';
  replaceRelation(transaction, relation);
  return 'added';
}

function saysTheSame(one: Relation, other: Relation): boolean {
  return (
    one.confidence === other.confidence &&
    one.context === other.context &&
    one.created_by === other.created_by &&
    one.bidirectional === other.bidirectional &&
    one.evidence.join('\n') === other.evidence.join('\n')
  );
}

/** Undefined where the input says nothing new. */
function withTakenOver(known: Relation, input: FoundInput, author: string): Relation | undefined {
  const { confidence = known.confidence, context = known.context, created_by = known.created_by } = input;
  // Seen from the other end, what holds both ways goes on holding both ways.
  const isTurned = known.source !== input.source;
  const bidirectional = isTurned ? true : (input.bidirectional ?? known.bidirectional);
  const evidence = [...new Set([...known.evidence, ...(input.evidence ?? [])])];
  if (evidence.length > MAX_EVIDENCE) throw tooMuchEvidence();
  const isSame =
    confidence === known.confidence &&
    context === known.context &&
    created_by === known.created_by &&
    bidirectional === known.bidirectional &&
    evidence.length === known.evidence.length;
  return isSame ? undefined : { ...known, confidence, context, created_by, bidirectional, evidence, author };
}

function commit<T>(
  store: Store,
  { rehearse: isRehearsal, signal }: RelationChange,
  work: (transaction: Transaction) => T,
): Promise<T> {
  return isRehearsal ? rehearse(store, work, signal) : store.write(work, signal);
}

function unknownRelation(id: string): KaizenError {
  return new KaizenError(
    'unknown_relation',
    sentence('There is no relation "{0}".', id.slice(0, 120)),
    sentence('It may have been removed, or one of its ends is gone; finding or traversing answers ids.'),
  );
}
