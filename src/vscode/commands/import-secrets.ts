import * as vscode from 'vscode';
import type { ImportedSecret, SecretDecision } from '../../transfer';
import type { RuleDraft, RuleFile } from '../../transfer/rules';
import { inWords } from '../in-words';
import { cut } from '../messages';

/** More would not be read in a dialog; they are counted. */
const NAMED = 8;
const LONGEST_NAME = 100;

/** Where a record stands, for a person: `CLAUDE.md, line 9`. */
type PlaceOf = (secret: ImportedSecret) => string | undefined;

/** What a person decides on those records of one import that look as if they held a secret. */
export class ImportSecrets {
  private found: readonly ImportedSecret[] = [];
  private decision: SecretDecision | undefined;
  private isAsked = false;

  /** @param total how many records there are that can be left out */
  constructor(
    private readonly total: number,
    private readonly placeOf: PlaceOf,
  ) {}

  /** For `importRecords`. */
  readonly ask = async (found: readonly ImportedSecret[]): Promise<SecretDecision | undefined> => {
    this.isAsked = true;
    this.found = found;
    const decision = await askForAll(found, this.placeOf);
    // Nothing is left then: not even a scope is to come of it.
    this.decision = decision === 'leave out' && found.length === this.total ? undefined : decision;
    return this.decision;
  };

  /** Whether the person gave the import up when asked. */
  get isGivenUp(): boolean {
    return this.isAsked && this.decision === undefined;
  }

  isLeftOut(line: number): boolean {
    return this.decision === 'leave out' && this.found.some((secret) => secret.line === line);
  }

  /** What the person should read beside the counts of what was imported. */
  withCounts(counts: string): string {
    const { length } = this.found;
    if (length === 0 || this.decision === 'store') return counts;
    return this.decision === 'redact'
      ? vscode.l10n.t('{0} Redacted: {1}.', counts, length)
      : vscode.l10n.t('{0} Left out, because of a secret: {1}.', counts, length);
  }
}

/** Where a secret stands in the file that its entry was read from. */
export function placeInFile(drafts: readonly RuleDraft[], files: readonly RuleFile[]): PlaceOf {
  return ({ line, places }) => {
    const draft = drafts[line - 1];
    // The path is in the reason of the change: with a secret in it, it is not said.
    if (!draft || places.some(({ field }) => field === 'reason')) return undefined;
    const inText = places.find(({ field }) => field === 'content');
    const wanted = inText && draft.content.split('\n')[inText.line - 1]?.trim();
    const lines = files.find(({ path }) => path === draft.path)?.text.split(/\r\n|\r|\n/) ?? [];
    // A text may have been cut and set anew; where its line is not found, it is told where it begins.
    const at = wanted ? lines.findIndex((each, index) => index >= draft.line - 1 && each.includes(wanted)) : -1;
    return vscode.l10n.t('{0}, line {1}', draft.path, at < 0 ? draft.line : at + 1);
  };
}

/** Said wherever a person has ticked or chosen something that is not imported then. */
export function tellNothingImported(): undefined {
  void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was imported.'));
}

/** The first button has the focus: Enter stores no secret. */
async function askForAll(found: readonly ImportedSecret[], placeOf: PlaceOf): Promise<SecretDecision | undefined> {
  const [leaveOut, redact, store] = [
    found.length === 1 ? vscode.l10n.t('Leave It Out') : vscode.l10n.t('Leave Them Out'),
    vscode.l10n.t('Redact'),
    vscode.l10n.t('Store Anyway'),
  ];
  const message =
    found.length === 1
      ? vscode.l10n.t('This import holds what looks like a secret.')
      : vscode.l10n.t('This import holds what looks like a secret in {0} places.', found.length);
  const named = found.slice(0, NAMED).map((secret) => `• ${lineFor(secret, placeOf(secret))}`);
  const more = found.length - named.length;
  const detail = [
    ...named,
    ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
    '',
    vscode.l10n.t(
      'Leave out: the rest is imported. Redact: imported with "[redacted: …]" in place of the secret. Store anyway: whoever reads this knowledge can read it, agents as well; the history says so.',
    ),
  ].join('\n');
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, leaveOut, redact, store);
  if (answer === leaveOut) return 'leave out';
  if (answer === redact) return 'redact';
  return answer === store ? 'store' : undefined;
}

/** `entry shop/rules/deploying (CLAUDE.md, line 9): GitHub token`. */
function lineFor({ where, places }: ImportedSecret, place: string | undefined): string {
  const name = where === undefined ? '…' : cut(inWords(where), LONGEST_NAME);
  const kinds = [...new Set(places.map(({ kind }) => inWords(kind)))].join(', ');
  return place === undefined
    ? vscode.l10n.t('{0}: {1}', name, kinds)
    : vscode.l10n.t('{0} ({1}): {2}', name, place, kinds);
}
