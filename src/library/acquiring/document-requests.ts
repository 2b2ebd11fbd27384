import { randomUUID } from 'node:crypto';
import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkTrimmed, compareText } from '../../core/text';
import type { DocumentMetadata, DocumentRequest, DocumentRequestInput, LibraryChange, Urgency } from '../model';
import { REQUESTED_TYPES, URGENCIES } from '../model';
import type { Surroundings } from '../surroundings';
import { doesAnswer } from './answering';
import { LIMITS } from './limits';

/** What agents ask people for (seed 003, 5.3.4): kept, listed, and closed when it comes in. */
export class DocumentRequests {
  /** Changes one after the other, so that two that ask for the same become one. */
  private changing: Promise<unknown> = Promise.resolve();

  constructor(private readonly surroundings: Pick<Surroundings, 'keeper' | 'clock'>) {}

  /**
   * Keeps a request. Where the same (topic and type, whatever the case) is open already, that one is answered, with the
   * higher urgency and the examples of both. Throws `invalid_argument`.
   */
  async add(input: DocumentRequestInput, change: LibraryChange): Promise<DocumentRequest> {
    const asked = checked(input);
    return this.inOrder(async () => {
      const keeper = await this.surroundings.keeper();
      const open = (await keeper.requests()).filter(({ status }) => status === 'open');
      const same = open.find(
        ({ topic, document_type }) => plain(topic) === plain(asked.topic) && document_type === asked.document_type,
      );
      if (!same && open.length >= LIMITS.openRequests) {
        throw new KaizenError(
          'invalid_argument',
          `There are ${LIMITS.openRequests} open requests for documents, and no more are taken.`,
          'Ask a person to answer or dismiss some.',
        );
      }
      change.signal?.throwIfAborted();
      const request = same ? this.merged(same, asked) : this.made(asked, change);
      await keeper.putRequest(request);
      return request;
    });
  }

  /** Open ones first, by urgency, then by time. */
  async list(status?: DocumentRequest['status']): Promise<DocumentRequest[]> {
    const keeper = await this.surroundings.keeper();
    const requests = await keeper.requests();
    return requests.filter((request) => status === undefined || request.status === status).sort(inOrderOfNeed);
  }

  /** Throws `unknown_request`, and `unknown_document` where the document that is to be the answer is not there. */
  settle(
    id: string,
    outcome: { answered_by: string } | 'dismissed' | 'open',
    change: LibraryChange,
  ): Promise<DocumentRequest> {
    return this.inOrder(async () => {
      const keeper = await this.surroundings.keeper();
      const before = (await keeper.requests()).find((request) => request.id === id);
      if (!before) {
        const hint = sentence('Look at the list of requests.');
        throw new KaizenError(
          'unknown_request',
          sentence('There is no request for a document "{0}".', id.slice(0, 120)),
          hint,
        );
      }
      if (typeof outcome === 'object' && !(await keeper.document(outcome.answered_by))) {
        const hint = sentence('knowledge_sources lists the documents that there are.');
        const said = outcome.answered_by.slice(0, 120);
        throw new KaizenError('unknown_document', sentence('The library has no document "{0}".', said), hint);
      }
      change.signal?.throwIfAborted();
      const request = this.settled(before, outcome);
      await keeper.putRequest(request);
      return request;
    });
  }

  /**
   * Closes open requests that a document answers (see `doesAnswer`). Answers their ids. Its stored text is read where none is
   * given, and only where something is asked for.
   */
  closeBy(document: DocumentMetadata, text: string | undefined, change: LibraryChange): Promise<string[]> {
    return this.inOrder(async () => {
      const keeper = await this.surroundings.keeper();
      const closed: string[] = [];
      let says = text;
      for (const request of await keeper.requests()) {
        if (request.status !== 'open') continue;
        says ??= (await keeper.text(document.document_id)) ?? '';
        if (!(await doesAnswer(document, says, request, change))) continue;
        await keeper.putRequest(this.settled(request, { answered_by: document.document_id }));
        closed.push(request.id);
      }
      return closed;
    });
  }

  private made(asked: Checked, { author }: LibraryChange): DocumentRequest {
    const now = this.now();
    return { id: randomUUID(), ...asked, status: 'open', requested_by: author, created_at: now, updated_at: now };
  }

  private merged(before: DocumentRequest, asked: Checked): DocumentRequest {
    const examples = new Map(
      [...before.example_documents, ...asked.example_documents].map((name) => [plain(name), name]),
    );
    return {
      // What was told first stays; what was not told then is added.
      ...asked,
      ...before,
      example_documents: [...examples.values()].slice(0, LIMITS.examples),
      urgency: need(asked.urgency) < need(before.urgency) ? asked.urgency : before.urgency,
      can_proceed_without: before.can_proceed_without && asked.can_proceed_without,
      updated_at: this.now(),
    };
  }

  private settled(before: DocumentRequest, outcome: { answered_by: string } | 'dismissed' | 'open'): DocumentRequest {
    const { answered_by: _, ...rest } = before;
    const isAnswer = typeof outcome === 'object';
    return {
      ...rest,
      status: isAnswer ? 'answered' : outcome,
      ...(isAnswer ? { answered_by: outcome.answered_by } : {}),
      updated_at: this.now(),
    };
  }

  private inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.changing.then(work);
    this.changing = result.catch(() => undefined);
    return result;
  }

  private now(): string {
    return isoTime(this.surroundings.clock.now());
  }
}

type Checked = Omit<DocumentRequest, 'id' | 'status' | 'answered_by' | 'requested_by' | 'created_at' | 'updated_at'>;

function checked(input: DocumentRequestInput): Checked {
  const { document_type = 'any', urgency = 'important', example_documents = [], can_proceed_without = true } = input;
  oneOf(document_type, REQUESTED_TYPES, 'document_type');
  oneOf(urgency, URGENCIES, 'urgency');
  if (example_documents.length > LIMITS.examples) {
    throw new KaizenError('invalid_argument', `There are more than ${LIMITS.examples} example_documents.`);
  }
  const examples = example_documents.map((name) =>
    checkTrimmed(name, { name: sentence('example document'), max: LIMITS.example, singleLine: true }),
  );
  const context = checkTrimmed(input.workflow_context ?? '', { name: 'workflow_context', max: LIMITS.context });
  const name = 'workaround_if_unavailable';
  const workaround = checkTrimmed(input.workaround_if_unavailable ?? '', { name, max: LIMITS.workaround });
  return {
    topic: checkTrimmed(input.topic.replace(/\s+/gu, ' '), {
      name: sentence('topic'),
      min: 1,
      max: LIMITS.topic,
      singleLine: true,
    }),
    rationale: checkTrimmed(input.rationale, { name: sentence('rationale'), min: 1, max: LIMITS.rationale }),
    document_type,
    example_documents: [...new Set(examples)].filter((example) => example !== ''),
    urgency,
    ...(context === '' ? {} : { workflow_context: context }),
    can_proceed_without,
    ...(workaround === '' ? {} : { workaround_if_unavailable: workaround }),
  };
}

function oneOf(value: string, allowed: readonly string[], name: string): void {
  if (allowed.includes(value)) return;
  const hint = `Use one of ${allowed.join(', ')}.`;
  throw new KaizenError('invalid_argument', `"${value.slice(0, 80)}" is no ${name}.`, hint);
}

function inOrderOfNeed(a: DocumentRequest, b: DocumentRequest): number {
  const isOpen = Number(b.status === 'open') - Number(a.status === 'open');
  return (
    isOpen || need(a.urgency) - need(b.urgency) || compareText(a.created_at, b.created_at) || compareText(a.id, b.id)
  );
}

/** 0 is the most urgent. */
function need(urgency: Urgency): number {
  return URGENCIES.indexOf(urgency);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
