import type { Metaknowledge } from '../../knowledge';

/**
 * What an agent is told beside success.
 * @param notices metaknowledge that does not do what it looks like
 * @param untied what tied the entry to files before and was not given again
 */
export function noticeOf(notices: readonly string[] = [], untied?: Metaknowledge | undefined): { notice?: string } {
  const said = [...notices];
  if (untied) {
    const labels = Object.keys(untied).join(' and ');
    said.push(
      `The entry had ${labels} (previous_metaknowledge) and has it no more: nobody is told of it any longer when such files are changed. Unless that is wanted, overwrite it once more with that metaknowledge.`,
    );
  }
  return said.length > 0 ? { notice: said.join(' ') } : {};
}
