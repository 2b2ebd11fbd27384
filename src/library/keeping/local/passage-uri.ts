/** Of a chunk in the index: its document and its id, and whether it is normative, so that hits are narrowed without reading. */
export interface PassageAddress {
  document_id: string;
  chunk_id: string;
  normative: boolean;
}

const NORMATIVE = '!';

export function passageUri({ document_id, chunk_id, normative }: PassageAddress): string {
  return `${document_id}#${chunk_id}${normative ? NORMATIVE : ''}`;
}

/** Of what `passageUri` made. */
export function parsePassageUri(uri: string): PassageAddress {
  const normative = isNormative(uri);
  const at = uri.indexOf('#');
  return { document_id: uri.slice(0, at), chunk_id: uri.slice(at + 1, normative ? -1 : undefined), normative };
}

export function documentOf(uri: string): string {
  return uri.slice(0, uri.indexOf('#'));
}

export function isNormative(uri: string): boolean {
  return uri.endsWith(NORMATIVE);
}
