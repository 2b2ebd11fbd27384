import assert from 'node:assert/strict';
import { ENTRY_TYPES } from '../../src/notes';
import { noteReference } from '../../src/vscode/agent-reference';
import { filledTemplate, proposedId, skeletonOf, typeOfCategory } from '../../src/vscode/commands/note-templates';
import { isVersion, nextVersions } from '../../src/vscode/commands/note-versions';

describe('a new note', () => {
  it('is proposed the number after the highest one, and its title', () => {
    assert.equal(proposedId('Email: SPF & DKIM!', 'pattern', ['001-a', '042-b', 'other', '7-c']), '043-email-spf-dkim');
    assert.equal(proposedId('Erste Notiz', 'concept', []), '001-erste-notiz');
    assert.equal(proposedId('x', 'concept', ['999-a']), '1000-x');
  });

  it('is proposed an id that may be a file name, whatever its title holds', () => {
    for (const title of ['../../etc/passwd', '???', 'Ünïcödé — 日本語', 'a'.repeat(500), '  ', 'CON', 'x.md']) {
      const id = proposedId(title, 'api_fact', []);
      assert.match(id, /^\d{3}-[\p{L}\p{N}][\p{L}\p{N}-]*$/u, title);
      assert.ok(id.length <= 70, `${title}: ${id.length}`);
    }
    assert.equal(proposedId('???', 'api_fact', []), '001-api-fact');
  });

  it('begins with its title and a skeleton of its type', () => {
    const skeletons = ENTRY_TYPES.map((type) => skeletonOf(type, 'A title'));
    for (const skeleton of skeletons) assert.match(skeleton, /^# A title\n\n## /);
    assert.equal(new Set(skeletons).size, ENTRY_TYPES.length);
  });

  it('takes a template of the person’s own, with title and day filled in', () => {
    const now = new Date(2026, 10, 5, 12);
    assert.equal(
      filledTemplate('# {{title}}\n\n{{ date }} {{other}}\n', 'A $& title', now),
      '# A $& title\n\n2026-11-05 {{other}}\n',
    );
    assert.equal(filledTemplate('\n# Postmortem\n\nText\n', 'March', now), '\n# March\n\nText\n');
  });

  it('is of the type whose folder it is made in', () => {
    assert.equal(typeOfCategory('patterns/mail'), 'pattern');
    assert.equal(typeOfCategory('mine'), undefined);
    assert.equal(typeOfCategory(undefined), undefined);
  });
});

describe('the reference to a note', () => {
  it('is a call that looks only where the note is, and no name ends it early', () => {
    const text = noteReference([
      { zettel_id: '042-a', title: 'Say "stop")', location: 'user' },
      { zettel_id: '043-b', title: 'B', location: 'registry' },
    ]);
    assert.equal(
      text,
      '"Say \\"stop\\")"\n(Kaizen note; get it with get(zettel_id="042-a", source="local"))\n\n"B"\n(Kaizen note; get it with get(zettel_id="043-b", source="registry"))',
    );
  });
});

describe('the version that is proposed', () => {
  it('comes after the latest one', () => {
    assert.deepEqual(nextVersions('1.2.3'), { patch: '1.2.4', minor: '1.3.0', major: '2.0.0' });
    assert.deepEqual(nextVersions('2.0.0-rc.1'), { patch: '2.0.0', minor: '2.1.0', major: '3.0.0' });
    assert.deepEqual(nextVersions(undefined), { patch: '1.0.0', minor: '1.0.0', major: '1.0.0' });
  });

  it('may be typed as semver has it', () => {
    for (const version of ['1.0.0', '0.1.0', '1.0.0-rc.1', '1.0.0+build']) assert.ok(isVersion(version), version);
    for (const version of ['1.0', 'v1.0.0', '01.0.0', '', '1.0.0 ']) assert.ok(!isVersion(version), version);
  });
});
