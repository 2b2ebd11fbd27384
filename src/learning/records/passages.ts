import { createHash } from 'node:crypto';
import type { Passage } from '../../search';
import type { FoundRecord } from '../model';
import { titleOf } from './kinds';
import { recordProse } from './markdown';

/** A captured record as search knows it: its type and domain for headings, its tags for keywords. */
export function recordPassage({ kind, uri, record }: FoundRecord): Passage {
  const body = recordProse(kind, record);
  const title = titleOf(record);
  const type = 'project_type' in record ? record.project_type : 'pattern_type' in record ? record.pattern_type : kind;
  const tags = 'tags' in record ? record.tags : 'keywords' in record ? record.keywords : [];
  const status = 'status' in record ? record.status : 'severity' in record ? record.severity : undefined;
  const domain = record.domain;
  const headings = [...new Set([domain, type].filter((each) => each !== undefined))];
  return {
    uri,
    title,
    headings,
    keywords: tags,
    body,
    facets: {
      kind,
      space: 'learning',
      ...(type ? { type } : {}),
      ...(status ? { status } : {}),
      ...(tags.length > 0 ? { tags } : {}),
    },
    fingerprint: createHash('sha1')
      .update(JSON.stringify([title, headings, tags, status, body]))
      .digest('base64url'),
  };
}
