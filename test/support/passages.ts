import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Passage } from '../../src/search';

/** A passage with what is told of it, and nothing else. */
export function passage(uri: string, told: Partial<Omit<Passage, 'uri'>> = {}): Passage {
  return {
    uri,
    title: '',
    headings: [],
    keywords: [],
    body: '',
    fingerprint: '',
    ...told,
    facets: { kind: 'node', ...told.facets },
  };
}

const DOCUMENTATION = path.resolve('test/fixtures/retrieval');

/** The sections of a project's documentation: this one's as it once was, so that editing it changes no test. */
export function documentation(): Passage[] {
  return readdirSync(path.join(DOCUMENTATION, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('docs', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap((file) => {
      const sections = readFileSync(path.join(DOCUMENTATION, file), 'utf8').split(/^(?=#)/m);
      return sections.map((section, index) => {
        const [heading = '', ...lines] = section.split('\n');
        return passage(`${file}#${String(index).padStart(3, '0')}`, {
          title: heading.replace(/^#+\s*/, ''),
          headings: [file],
          body: lines.join('\n'),
          facets: { kind: 'node', path: file },
        });
      });
    });
}
