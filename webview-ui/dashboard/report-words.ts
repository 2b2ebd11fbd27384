import type {
  HealthCode,
  HealthFinding,
  HealthReport,
  StaleItem,
} from '../../src/learning/administration/reports-model';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { readLibrarySentence } from './library-sentences';

/** What reports say, in the person's language. */

export interface StatusWords {
  title: string;
  detail: string;
  icon: string;
  tone: 'good' | 'warning' | 'bad';
}

export function statusOf(status: HealthReport['status']): StatusWords {
  switch (status) {
    case 'healthy':
      return {
        title: t('All is well'),
        detail: t('Everything can be read and searched, and nothing waits to be looked after.'),
        icon: 'pass',
        tone: 'good',
      };
    case 'attention':
      return {
        title: t('Something wants to be looked after'),
        detail: t('Everything can be read and searched.'),
        icon: 'warning',
        tone: 'warning',
      };
    case 'problems':
      return {
        title: t('Something does not work'),
        detail: t('Part of the knowledge cannot be read or searched.'),
        icon: 'error',
        tone: 'bad',
      };
  }
}

/** A sentence, and its language where that is not the person's. */
export interface Sentence {
  text: string;
  lang?: 'en';
}

/** What was found, counted anew in the person's words; what only the other side knows stays as it is. */
export function findingText({ code, message, count = 0, names = [] }: HealthFinding): Sentence {
  const number = formatNumber(count);
  switch (code) {
    case 'documents_asked_for':
      return { text: count === 1 ? t('1 document is asked for.') : t('{0} documents are asked for.', number) };
    case 'entries_stale':
      return {
        text:
          count === 1
            ? t('1 entry was not changed for a year.')
            : t('{0} entries were not changed for a year.', number),
      };
    case 'base_problems':
      return {
        text:
          count === 1
            ? t('1 problem in the files of knowledge bases.')
            : t('{0} problems in the files of knowledge bases.', number),
      };
    case 'note_problems':
      return {
        text: count === 1 ? t('1 problem in the files of notes.') : t('{0} problems in the files of notes.', number),
      };
    case 'questions_unanswered':
      return { text: t('Asked and not found: {0}.', quoted(names)) };
    case 'projects_without_outcome':
      return {
        text:
          count === 1
            ? t('1 project is over, and nobody said what came of it.')
            : t('{0} projects are over, and nobody said what came of them.', number),
      };
    case 'library_says':
      return librarySays(message);
    default:
      return { text: message, lang: 'en' };
  }
}

/** What the library finds of itself comes as a sentence of its own. */
function librarySays(message: string): Sentence {
  const said = readLibrarySentence(message);
  if (!said) return { text: message, lang: 'en' };
  if (said.what === 'indexing') {
    const number = formatNumber(said.passages);
    return { text: t('The index of the library is still being read: {0} passages by now.', number) };
  }
  const number = formatNumber(said.count);
  const named = said.more > 0 ? `${said.titles} ${t('and {0} more', formatNumber(said.more))}` : said.titles;
  switch (said.what) {
    case 'failed':
      return { text: t('Sources that could not be read: {0}. {1}', number, named) };
    case 'kept':
      return { text: t('Sources that could not be read again and say what they said before: {0}. {1}', number, named) };
    case 'stale':
      return { text: t('Sources that are old: {0}. {1}', number, named) };
  }
}

/** What to do about it, and the words of the button that does it. */
export function actionOf(code: HealthCode): { advice: string; button: string } {
  switch (code) {
    case 'library_unreachable':
      return { advice: t('See to it that the library can be reached.'), button: t('Show Library Status') };
    case 'library_says':
    case 'sources_failed':
      return { advice: t('Look at the sources that could not be read.'), button: t('Show Library') };
    case 'sources_stale':
      return {
        advice: t('Have old web pages looked at again, and replace old documents.'),
        button: t('Show What Is Old'),
      };
    case 'documents_asked_for':
      return { advice: t('Bring in the documents that are asked for.'), button: t('Answer a Request…') };
    case 'entries_stale':
      return { advice: t('Check whether old entries still hold.'), button: t('Show What Is Old') };
    case 'base_problems':
      return { advice: t('Put right what is wrong in the files of knowledge bases.'), button: t('Show Problems') };
    case 'note_problems':
      return { advice: t('Put right what is wrong in the files of notes.'), button: t('Show Problems') };
    case 'questions_unanswered':
      return { advice: t('Write down or bring in what was asked and not found.'), button: t('Show What Was Asked') };
    case 'projects_without_outcome':
      return { advice: t('Say what came of projects that are over.'), button: t('Capture an Outcome…') };
  }
}

/** What the date of something old says. */
export function dateSays(by: StaleItem['by']): string {
  switch (by) {
    case 'published':
      return t('published');
    case 'looked_at':
      return t('looked at');
    case 'changed':
      return t('changed');
    case 'checked':
      return t('checked');
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => t('“{0}”', name)).join(', ');
}
