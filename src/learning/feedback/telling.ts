import type { Reader } from '../../store';
import type { FeedbackRecord } from '../feedback-model';
import type { CapturedRecords } from '../surroundings';
import { feedbackOn } from './rows';
import { isDocument } from './score-table';

/** Stands for the id of a project that is another person's own. */
const HIDDEN_PROJECT = 'personal';

/** Oldest first; of a document of the library what was said of its passages as well. */
export function toldFeedback(reader: Reader, records: () => CapturedRecords, artifact: string): FeedbackRecord[] {
  return feedbackOn(reader, artifact, { withPassages: isDocument(artifact) }).map((each) => told(each, records));
}

/** What was said through another person's own project counts; which project that is, and what it was for, is not told. */
function told(record: FeedbackRecord, records: () => CapturedRecords): FeedbackRecord {
  const { project_id, propagated_from } = record;
  const isSecret = (id: string | undefined) => id !== undefined && records().isHidden(id);
  if (!isSecret(project_id) && !isSecret(propagated_from)) return record;
  const from = propagated_from === undefined ? undefined : HIDDEN_PROJECT;
  return { ...record, usage_context: '', project_id: undefined, propagated_from: from };
}
