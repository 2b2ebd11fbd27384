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

/** The sections of the project's own documentation: real text that is always there. */
export function ownDocumentation(): Passage[] {
  const root = path.resolve(__dirname, '../..');
  const files = [
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join('docs', file),
    ),
    'README.md',
    'CHANGELOG.md',
  ];
  return files
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap((file) => {
      const sections = readFileSync(path.join(root, file), 'utf8').split(/^(?=#)/m);
      return sections.map((section, index) => {
        const [heading = '', ...lines] = section.split('\n');
        const title = heading.replace(/^#+\s*/, '');
        const name = file.replaceAll('\\', '/');
        return passage(`${name}#${String(index).padStart(3, '0')}`, {
          title,
          headings: [name],
          body: lines.join('\n'),
          facets: { kind: 'node', path: name },
        });
      });
    });
}
