import * as vscode from 'vscode';
import type { AcquiredPage, MetadataOverrides, SourceListing } from '../../library';
import { AUTHORITY_NAMES, type AuthorityLevel, DOCUMENT_TYPES } from '../../library';
import { errorInWords } from '../in-words';
import { withoutLinks } from '../messages';
import { authorityName, documentTypeName, passageCount } from '../views';
import type { CommandContext } from './command';
import { withLibrary } from './library-failures';
import { chooseSources, libraryChange } from './library-given';
import { withProgress } from './long-work';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';

/** Names shown in a dialog, which does not scroll. */
const SHOWN = 12;

/** Looks whether sources have changed, those given or all, and reads those that have. */
export async function refreshSources(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  // The view's title and the palette mean all.
  const isAll = first === undefined || first === null;
  const title = vscode.l10n.t('Look for Changes');
  const sources = isAll ? undefined : await chooseSources(context, part, { title }, first, others);
  if (sources?.length === 0) return;
  const ids = sources?.map(({ document_id }) => document_id);
  const pages = await withLibrary(context, () =>
    withProgress(vscode.l10n.t('Looking whether sources have changed'), ({ signal, onStep }) =>
      part.refresh(ids, { ...change, signal, onProgress: ({ done = 0 }) => onStep(done, '') }),
    ),
  );
  if (pages) tellRefreshed(context, pages);
}

function tellRefreshed({ log }: CommandContext, pages: readonly AcquiredPage[]): void {
  const bad = pages.filter(({ status }) => status === 'failed' || status === 'refused');
  const changed = pages.filter(({ status }) => status === 'updated' || status === 'added').length;
  const message = vscode.l10n.t('Sources looked at: {0}. Changed: {1}.', pages.length, changed);
  if (bad.length === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  for (const { url, reason } of bad) log.warn(`${url}: ${reason ?? ''}`);
  const [one] = bad;
  const what = `${vscode.l10n.t('Not reached: {0}.', bad.length)} ${one?.url ?? ''}: ${one?.reason ?? ''}`;
  void vscode.window.showWarningMessage(withoutLinks(`${message} ${what}`));
}

/** Reads sources again although nothing seems to have changed: after a failure, or with a newer Kaizen. */
export async function rereadSources(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const isOffered = ({ source_path }: SourceListing) => !source_path.startsWith('content:');
  const choice = { title: vscode.l10n.t('Read Again'), isOffered };
  const sources = (await chooseSources(context, part, choice, first, others)).filter(isOffered);
  if (sources.length === 0) return;
  const failed: string[] = [];
  const done = await withLibrary(context, () =>
    withProgress(vscode.l10n.t('Reading again'), async ({ signal, onStep }) => {
      for (const [index, { source_path, title }] of sources.entries()) {
        const tell = (part = 0) => onStep((index + part) / sources.length, title);
        tell();
        const onProgress = ({ done }: { done?: number | undefined }) => tell(done);
        try {
          await part.ingest({ source: source_path, force: true }, { ...change, signal, onProgress });
        } catch (error) {
          if (signal.aborted || sources.length === 1) throw error;
          failed.push(`${title}: ${errorInWords(error)}`);
        }
      }
      return true;
    }),
  );
  if (!done) return;
  const count = sources.length - failed.length;
  const message = count === 1 ? vscode.l10n.t('Read 1 source again.') : vscode.l10n.t('Read {0} sources again.', count);
  if (failed.length === 0) void vscode.window.showInformationMessage(message);
  else void vscode.window.showWarningMessage(withoutLinks([message, ...failed.slice(0, 3)].join(' ')));
}

export async function removeSources(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const title = vscode.l10n.t('Remove from Library');
  const sources = await chooseSources(context, part, { title }, first, others);
  const [source] = sources;
  if (!source || !(await confirmRemoving(sources))) return;
  await withProgress(vscode.l10n.t('Removing from the library'), ({ signal }) =>
    part.remove(
      sources.map(({ document_id }) => document_id),
      { ...change, signal },
    ),
  );
  const message =
    sources.length === 1
      ? vscode.l10n.t('Removed "{0}".', source.title)
      : vscode.l10n.t('Removed {0} sources.', sources.length);
  void vscode.window.showInformationMessage(withoutLinks(message));
}

async function confirmRemoving(sources: readonly SourceListing[]): Promise<boolean> {
  const question =
    sources.length === 1
      ? vscode.l10n.t('Remove "{0}" from the library?', sources[0]!.title)
      : vscode.l10n.t('Remove {0} sources from the library?', sources.length);
  const passages = sources.reduce((sum, { chunk_count }) => sum + chunk_count, 0);
  const detail = [
    sources.length === 1
      ? ''
      : sources
          .slice(0, SHOWN)
          .map(({ title }) => title)
          .join('\n'),
    vscode.l10n.t(
      'Its stored text goes with it: {0}. The file or page that it was read from stays, and can be added again.',
      passageCount(passages),
    ),
  ];
  const confirm = vscode.l10n.t('Remove');
  const options = { modal: true, detail: detail.filter(Boolean).join('\n\n') };
  return (await vscode.window.showWarningMessage(question, options, confirm)) === confirm;
}

type Description = { [Key in keyof MetadataOverrides]-?: NonNullable<MetadataOverrides[Key]> };

/** Asks what a source is: title, type, authority, standard, version. What is said stays when it is read again. */
export async function describeSource(context: CommandContext, given: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const title = vscode.l10n.t('Describe Source');
  const [source] = await chooseSources(context, part, { title }, given);
  if (!source) return;
  const { document_type, authority_level, standard_id = '', version = '' } = source;
  const before: Description = { title: source.title, document_type, authority_level, standard_id, version };
  const answers = await askInSteps<Description>(title, descriptionSteps(source), before);
  if (!answers) return;
  // What was not changed is not said by the person: the source may tell it better next time.
  const told = Object.fromEntries(
    Object.entries(answers).filter(([key, value]) => before[key as keyof Description] !== value),
  );
  if (Object.keys(told).length === 0) return;
  const described = await part.describe(source.document_id, told as MetadataOverrides, change);
  void vscode.window.showInformationMessage(
    withoutLinks(
      vscode.l10n.t(
        '{0}: {1}, {2}.',
        described.title,
        documentTypeName(described.document_type),
        authorityName(described.authority_level),
      ),
    ),
  );
}

function descriptionSteps(source: SourceListing): readonly Step<Description>[] {
  const types = [...new Set<string>([...DOCUMENT_TYPES, source.document_type])];
  return [
    textStep('title', vscode.l10n.t('Title'), true),
    async (state, place) => {
      const answer = await pick<string>({
        ...place,
        placeholder: vscode.l10n.t('Type: pick one or type your own'),
        items: types.map((type) => ({ label: documentTypeName(type), value: type })),
        active: (type) => type === state.document_type,
        fromText: { label: (text) => vscode.l10n.t('Type "{0}"', text), value: (text) => text },
      });
      return keep(answer, (document_type) => Object.assign(state, { document_type }));
    },
    async (state, place) => {
      const answer = await pick<AuthorityLevel>({
        ...place,
        placeholder: vscode.l10n.t('Authority: how far it is to be believed'),
        items: AUTHORITY_NAMES.map((level) => ({
          label: authorityName(level),
          detail: authorityHelp(level),
          value: level,
        })),
        active: (level) => level === state.authority_level,
      });
      return keep(answer, (authority_level) => Object.assign(state, { authority_level }));
    },
    textStep('standard_id', vscode.l10n.t('Standard, for example ISO 9001:2015 (optional)')),
    textStep('version', vscode.l10n.t('Version or edition (optional)')),
  ];
}

function textStep(key: 'title' | 'standard_id' | 'version', prompt: string, isNeeded = false): Step<Description> {
  return async (state, place) => {
    const answer = await askText({
      ...place,
      prompt,
      value: state[key],
      validate: (text) => (isNeeded && text.trim() === '' ? vscode.l10n.t('A title is needed.') : undefined),
    });
    return keep(answer, (text) => Object.assign(state, { [key]: text.trim() }));
  };
}

function authorityHelp(level: AuthorityLevel): string {
  switch (level) {
    case 'normative':
      return vscode.l10n.t('What must be followed: standards, laws, contracts.');
    case 'authoritative':
      return vscode.l10n.t('By those who are responsible for the matter: handbooks, official documentation.');
    case 'reputable':
      return vscode.l10n.t('By those who know the matter: papers, textbooks, well-known publishers.');
    case 'informative':
      return vscode.l10n.t('Useful, and not more: guides, articles, internal notes.');
    case 'unverified':
      return vscode.l10n.t('Nobody has looked: any page, forums.');
  }
}
