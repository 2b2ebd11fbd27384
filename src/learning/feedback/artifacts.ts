import { KaizenError } from '../../core/errors';
import { KNOWLEDGE_SCHEME, LEARNING_AUTHORITY, learningUri, parseLearningUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import type { FoundRecord } from '../model';
import { KIND_NAMES } from '../records/kinds';
import type { CapturedRecords } from '../surroundings';
import { ARTIFACT_TYPES, type ArtifactType, LEARNED_KINDS, type LearnedKind } from '../vocabulary';

/** Tells what there is beside captured records; each may be left out, and then nobody is asked. */
export interface OtherArtifacts {
  /** Whether something is at a knowledge URI. Throws where that cannot be told. */
  exists?: ((uri: string, signal?: AbortSignal) => Promise<boolean>) | undefined;
  /** The address of a passage of the library, by its bare id. */
  passageUri?: ((id: string, signal?: AbortSignal) => Promise<string | undefined>) | undefined;
}

const SCHEME = `${KNOWLEDGE_SCHEME}://`;
const MAX_ID = 4_096;

/** Finds what is meant by an id: a knowledge URI, a captured record's id, or that of a passage of the library. */
export class Artifacts {
  constructor(
    private readonly records: () => CapturedRecords,
    private readonly others: OtherArtifacts,
  ) {}

  /**
   * The address of what is meant, and its type. Throws `unknown_artifact` or the record's own (`unknown_template` …),
   * `invalid_argument` where it is of another type than was said.
   */
  async resolve(
    id: string,
    type?: ArtifactType,
    signal?: AbortSignal,
  ): Promise<{ artifact: string; artifact_type: ArtifactType }> {
    const wanted = id.trim();
    if (wanted === '' || wanted.length > MAX_ID) {
      throw new KaizenError('invalid_argument', `artifact_id is ${wanted === '' ? 'empty' : 'too long'}.`, HINT);
    }
    const found = await this.find(wanted, type, signal);
    if (type === undefined || type === found.artifact_type) return found;
    throw new KaizenError(
      'invalid_argument',
      `"${wanted.slice(0, 120)}" is of the type ${found.artifact_type}, not ${type}.`,
      `Say artifact_type ${found.artifact_type}.`,
    );
  }

  /** The address and type of what needs nobody to be asked: an address, or a captured record's bare id. */
  atHand(artifact: string): { artifact: string; artifact_type: ArtifactType } {
    const record = this.records().find(artifact);
    if (record) return { artifact: record.uri, artifact_type: typeOf(record.kind) };
    const kind = parseLearningUri(artifact)?.kind as LearnedKind | undefined;
    return { artifact, artifact_type: kind !== undefined && LEARNED_KINDS.includes(kind) ? typeOf(kind) : 'chunk' };
  }

  /** Whether it is the address of a captured record, whether or not there is one. */
  isRecord(artifact: string): boolean {
    return artifact.startsWith(LEARNING);
  }

  /** Undefined for what is no captured record. */
  record(artifact: string): FoundRecord | undefined {
    return this.isRecord(artifact) ? this.records().find(artifact) : undefined;
  }

  /** Whether there is nothing to be told of it: a captured record that is another person's own, or was deleted. */
  isAway(artifact: string): boolean {
    return this.isRecord(artifact) && this.records().find(artifact) === undefined;
  }

  /** Whether it is a captured record that is another person's own. */
  isHidden(artifact: string): boolean {
    return this.isRecord(artifact) && this.records().isHidden(artifact);
  }

  private async find(id: string, type: ArtifactType | undefined, signal: AbortSignal | undefined) {
    if (id.startsWith(LEARNING)) return this.atHandOrThrow(id, type);
    if (id.startsWith(SCHEME)) {
      if (!(await this.isThere(id, signal))) throw unknown(id);
      return { artifact: id, artifact_type: 'chunk' as const };
    }
    if (type !== undefined && type !== 'chunk') return this.atHandOrThrow(id, type);
    const record = this.records().find(id);
    if (record) return { artifact: record.uri, artifact_type: typeOf(record.kind) };
    const passage = await this.others.passageUri?.(id, signal);
    if (passage === undefined) throw unknown(id);
    return { artifact: passage, artifact_type: 'chunk' as const };
  }

  private atHandOrThrow(id: string, type: ArtifactType | undefined) {
    const kind = type === undefined || type === 'chunk' ? undefined : type;
    const record = this.records().find(id) ?? (kind && this.byKind(kind, id));
    if (record) return { artifact: record.uri, artifact_type: typeOf(record.kind) };
    const named = kind ?? (parseLearningUri(id)?.kind as LearnedKind | undefined);
    throw named !== undefined && LEARNED_KINDS.includes(named) ? unknownRecord(named, id) : unknown(id);
  }

  private byKind(kind: LearnedKind, id: string): Pick<FoundRecord, 'uri' | 'kind'> | undefined {
    return this.records().get(kind, id) && { uri: learningUri(kind, id), kind };
  }

  /** What cannot be told (a library that is not reachable) is no reason to refuse what somebody has to say of it. */
  private async isThere(uri: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return (await this.others.exists?.(uri, signal)) ?? true;
    } catch {
      signal?.throwIfAborted();
      return true;
    }
  }
}

const LEARNING = `${SCHEME}${LEARNING_AUTHORITY}/`;
const HINT = sentence('Give the `uri` of a result, or the id of a captured record or of a passage of the library.');

/** Feedback knows four kinds of records by name; a lesson is a passage like any other. */
function typeOf(kind: LearnedKind): ArtifactType {
  return ARTIFACT_TYPES.find((each) => each === kind) ?? 'chunk';
}

function unknown(id: string): KaizenError {
  return new KaizenError('unknown_artifact', sentence('There is nothing with the id "{0}".', id.slice(0, 120)), HINT);
}

function unknownRecord(kind: LearnedKind, id: string): KaizenError {
  return new KaizenError(
    `unknown_${kind}`,
    sentence('There is no {0} "{1}".', KIND_NAMES[kind], id.slice(0, 120)),
    HINT,
  );
}
