import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isKaizenError, type KaizenError } from '../../src/core/errors';
import { allOf, anyOf, isSentence } from '../../src/core/sentence';
import { privateNetwork } from '../../src/library/fetching';
import { checkedAddress } from '../../src/library/fetching/address-rules';
import { networkFault } from '../../src/library/fetching/faults';
import { remarkSaid } from '../../src/library/reading/remarks';
import { REGISTRY } from '../../src/notes/registry/schema';
import { databaseError, newer, notInitialised } from '../../src/postgres/failures';
import { described, findSecrets, type SecretPlace, secretFound } from '../../src/safety';
import { TOKEN_RULES } from '../../src/safety/secrets/rules';
import { ioError } from '../../src/store/io-errors';
import { newerStore } from '../../src/store/schema';
import { errorInGerman, inGerman } from '../support/german';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';
import { trueSecrets, unseenSecrets } from '../support/secret-strings';

/** Of these files a person in the editor can meet every error: none is in English only. */
const SAID = [
  'agents/applying.ts',
  'bases/bases.ts',
  'bases/definitions.ts',
  'bases/file-access.ts',
  'bases/references.ts',
  'bases/update.ts',
  'continuity/checks.ts',
  'continuity/records.ts',
  'files/confinement.ts',
  'knowledge/base-revision.ts',
  'knowledge/categories.ts',
  'knowledge/chains.ts',
  'knowledge/changes.ts',
  'knowledge/entries.ts',
  'knowledge/history.ts',
  'knowledge/import-check.ts',
  'knowledge/scopes.ts',
  'learning/administration/learned-file.ts',
  'learning/administration/parquet-reading.ts',
  'learning/exchange/counts-shape.ts',
  'learning/exchange/exchange.ts',
  'learning/exchange/shapes.ts',
  'learning/feedback/feedback.ts',
  'learning/feedback/giving.ts',
  'learning/feedback/rows.ts',
  'learning/projects/lifecycle.ts',
  'learning/records/captured.ts',
  'learning/records/checks.ts',
  'learning/records/kinds.ts',
  'learning/records/patterns.ts',
  'learning/records/record-store.ts',
  'learning/records/revisions.ts',
  'library/fetching/address-rules.ts',
  'library/fetching/addresses.ts',
  'library/fetching/exchange.ts',
  'library/fetching/faults.ts',
  'library/fetching/media-types.ts',
  'library/fetching/proxies.ts',
  'library/fetching/search-endpoint.ts',
  'library/fetching/site-rules.ts',
  'library/fetching/web.ts',
  'library/ingesting/ingesting.ts',
  'library/ingesting/kept.ts',
  'library/ingesting/reading-origins.ts',
  'library/keeping/local/catalogue.ts',
  'library/keeping/local/content-files.ts',
  'library/keeping/local/directory-keeper.ts',
  'library/keeping/local/document-reading.ts',
  'library/keeping/local/document-store.ts',
  'library/keeping/postgres/opening.ts',
  'library/keeping/postgres/postgres-keeper.ts',
  'library/keeping/postgres/putting.ts',
  'library/keeping/postgres/shelf.ts',
  'library/keeping/postgres/vector-table.ts',
  'library/library.ts',
  'library/reading/html/dom.ts',
  'library/keeping/postgres/meaning.ts',
  'library/keeping/postgres/passage-search.ts',
  'library/reading/detecting.ts',
  'library/reading/docx/docx.ts',
  'library/reading/index.ts',
  'library/reading/pdf/pdf.ts',
  'library/reading/remarks.ts',
  'library/reading/unreadable.ts',
  'library/reading/zip.ts',
  'library/searching/sources.ts',
  'notes/collections/collecting.ts',
  'notes/collections/collection-text.ts',
  'notes/format/edit.ts',
  'notes/format/ids.ts',
  'notes/indexed.ts',
  'notes/linking/following.ts',
  'notes/linking/linking.ts',
  'notes/publishing/downloading.ts',
  'notes/publishing/in-registry.ts',
  'notes/publishing/local-note.ts',
  'notes/publishing/publishing.ts',
  'notes/publishing/shared-registry.ts',
  'notes/registry/collections.ts',
  'notes/registry/links.ts',
  'notes/registry/publishing.ts',
  'notes/registry/rows.ts',
  'notes/registry/searching.ts',
  'notes/registry/versions.ts',
  'notes/revisions.ts',
  'notes/spaces/faults.ts',
  'notes/spaces/roots.ts',
  'notes/spaces/space.ts',
  'notes/spaces/spaces.ts',
  'notes/writing/checks.ts',
  'notes/writing/local-writing.ts',
  'notes/writing/writer.ts',
  'postgres/setting-up.ts',
  'relations/rows.ts',
  'relations/writing.ts',
  'review/learning-proposals.ts',
  'review/library-proposals.ts',
  'review/note-proposals.ts',
  'review/proposals.ts',
  'review/review.ts',
  'search/embeddings/endpoint-address.ts',
  'search/embeddings/endpoint-answer.ts',
  'search/embeddings/endpoint-request.ts',
  'search/embeddings/endpoint.ts',
  'search/embeddings/local/install.ts',
  'search/embeddings/local/local-embedder.ts',
  'search/hybrid-search.ts',
  'store/io-errors.ts',
  'store/schema.ts',
  'store/turnstile.ts',
];

/** No error: an agent is told so beside what was done. */
const TOLD = /is not UTF-8, and its links stay as they were\.`$/;

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A comment, the text of a `sentence(…)`, or, as a group of its own, any other text with its quotes. */
const PIECE =
  /\/\*[\s\S]*?\*\/|\/\/.*|\bsentence\(\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/** What people read, whatever it is handed to: messages and hints end in a stop, parts of them begin with small words. */
function saidInEnglishOnly(code: string): string[] {
  return [...code.matchAll(PIECE)].flatMap(([, text = '']) => (/ .*\..$|^.(?:[a-z]+ ){2}/s.test(text) ? [text] : []));
}

describe('in German', () => {
  const open = useHalls();

  describe('every kind of secret has a name', () => {
    for (const { id, kind } of TOKEN_RULES) it(id, () => assert.notEqual(inGerman(kind), String(kind)));
    it('that is found in texts', async () => {
      for (const { text } of [...trueSecrets(), ...unseenSecrets()]) {
        for (const { kind } of await findSecrets(text)) assert.notEqual(inGerman(kind), String(kind));
      }
    });
  });

  it('it is said where secrets are, and that nothing was stored', async () => {
    const { kind } = (await findSecrets(trueSecrets().find(({ id }) => id === 'github-token')!.text))[0]!;
    const place = (line: number, field = 'content'): SecretPlace => ({ field, kind, line, column: 1 });
    assert.equal(String(described([place(2)])), 'content, line 2, column 1: GitHub token');
    const seven = [place(1, ''), ...[2, 3, 4, 5, 6, 7].map((line) => place(line))];
    assert.match(String(described(seven)), /^line 1, column 1: GitHub token; content, line 2,.*; and 2 more$/);
    assert.match(
      inGerman(described(seven)),
      /^Zeile 1, Spalte 1: GitHub-Token; content, Zeile 2, Spalte 1: GitHub-Token; .*; und 2 weitere$/,
    );
    assert.match(errorInGerman(secretFound([place(2)], true)), /^Das sieht aus, .* \(content, Zeile 2,/);
  });

  it('lists are joined by words', () => {
    assert.equal(String(allOf(['a', 'b', 'c'])), 'a and b and c');
    assert.equal(inGerman(anyOf(['a', 'b'])), 'a oder b');
    assert.equal(anyOf(['a']), 'a');
  });

  describe('an error says what it says in English, and is told whole:', () => {
    const found: [string, KaizenError][] = [
      ...['EACCES', 'ENOSPC', 'EIO'].map((code): [string, KaizenError] => [
        `a store (${code})`,
        ioError(systemError(code), '/data'),
      ]),
      ['a newer store', newerStore('/data', 'knowledge 99')],
      ...['ECONNREFUSED', 'ENOTFOUND', '57014', '57P01', '28P01', '3D000', '42P01', 'CERT_HAS_EXPIRED'].map(
        (code): [string, KaizenError] => [
          `the registry (${code})`,
          databaseError(systemError(code), 'db:5432/x', REGISTRY),
        ],
      ),
      ['a newer registry', newer('db:5432/x', 9, REGISTRY)],
      ['an older registry', notInitialised('db:5432/x', 1, REGISTRY)],
      ...[
        'ENOTFOUND',
        'ECONNREFUSED',
        'ETIMEDOUT',
        'ECONNRESET',
        'CERT_HAS_EXPIRED',
        'EPROTO',
        'HPE_HEADER_OVERFLOW',
        'HPE_INVALID',
        'Z_DATA_ERROR',
        'EOTHER',
      ].map((code): [string, KaizenError] => [
        `a page (${code})`,
        networkFault(new URL('https://docs.test/a'), systemError(code)),
      ]),
    ];
    for (const [name, error] of found) {
      it(name, () => {
        const german = errorInGerman(error);
        assert.notEqual(german, error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
        assert.ok(!/\{\d\}|undefined/.test(german), german);
      });
    }

    const attempts: [(hall: Hall) => unknown, string, string][] = [
      [
        ({ knowledge }) => knowledge.getCategories('shp'),
        'There is no scope "shp". Did you mean "shop"?',
        'Es gibt keinen Scope „shp“. Ist "shop" gemeint?',
      ],
      [
        (hall) => hall.define('a b', 'PROJECT'),
        '"a b" is not a scope id. Use 1 to 100 letters, digits, dots, underscores and hyphens.',
        '„a b“ ist keine Scope-Id. Möglich sind 1 bis 100 Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche.',
      ],
      [
        ({ knowledge }) => knowledge.delete({ scope_id: 'shop', category: 'git', keyword: 'psh' }, BY_TESTER),
        'The scope "shop" has no entry "psh" in the category "git". Near it: "push".',
        'Der Scope „shop“ hat keinen Eintrag „psh“ in der Kategorie „git“. Ähnlich: "push".',
      ],
      [
        ({ library }) => library.ingest({ source: 'https://name:test@docs.test/' }, BY_TESTER),
        'An address must not hold a name or a password. Leave them out.',
        'Eine Adresse darf weder Namen noch Passwort enthalten. Lassen Sie beides weg.',
      ],
    ];
    for (const [attempt, english, german] of attempts) {
      it(english, async () => {
        const hall = await open();
        await hall.define('shop', 'PROJECT');
        await hall.put('shop', 'git', 'push');
        await assert.rejects(
          async () => attempt(hall),
          (thrown) => {
            assert.ok(isKaizenError(thrown), String(thrown));
            assert.equal(`${thrown.message} ${thrown.hint}`, english);
            assert.equal(errorInGerman(thrown), german);
            return true;
          },
        );
      });
    }
  });

  it('what a scope holds is said before it is deleted', async () => {
    const hall = await open();
    await hall.define('shared', 'GROUP');
    await hall.define('shop', 'PROJECT', ['shared']);
    await hall.put('shared', 'git', 'push');
    await assert.rejects(hall.knowledge.deleteScope('shared', { confirmed: false }, BY_TESTER), (thrown) => {
      assert.ok(isKaizenError(thrown));
      assert.equal(thrown.message, 'The scope "shared" holds 1 entry and the child "shop".');
      assert.ok(isSentence(thrown.said[0]));
      assert.equal(
        inGerman(thrown.said[0]),
        'Der Scope „shared“ enthält 1 Eintrag und den untergeordneten Scope "shop".',
      );
      return true;
    });
  });

  describe('without the model that was asked for', () => {
    const german =
      'Das lokale Modell liefert keine Embeddings: Es ist nicht installiert. Installieren Sie das lokale Modell noch einmal, oder wählen Sie einen anderen Anbieter von Embeddings.';

    it('the state of search says why it goes by words', async () => {
      const { discovery } = await open({ embeddings: { provider: 'local' } });
      discovery.start();
      const { embeddings } = discovery.state;
      assert.ok('problem' in embeddings && embeddings.problem !== undefined);
      assert.equal(inGerman(embeddings.problem), german);
    });

    it('a search of the library says so', async () => {
      const { library } = await open({ embeddings: { provider: 'local' } });
      await library.ingest({ source: 'content:# Guide\n\nRetry a payment twice.\n' }, BY_TESTER);
      const { message } = await library.search({ query: 'retry' });
      assert.equal(inGerman(message ?? ''), `Nur nach Wörtern gesucht: ${german}`);
    });
  });

  describe('what was lost of a document is said,', () => {
    const remarks: [english: string, german: string][] = [
      [
        'It was taken for a Word document (.docx), and is a PDF.',
        'Erwartet wurde ein Word-Dokument (.docx), es ist aber ein PDF.',
      ],
      [
        'No article was found in the page: its whole text was taken.',
        'In der Seite wurde kein Artikel gefunden: Ihr ganzer Text wurde übernommen.',
      ],
      [
        'Its front matter cannot be read and stays in the text.',
        'Das Front Matter ist nicht lesbar und bleibt im Text stehen.',
      ],
      ['One picture was left out.', 'Ein Bild wurde ausgelassen.'],
      ['12 pictures were left out.', '12 Bilder wurden ausgelassen.'],
      ['Page 4 has no text: it is empty, or a picture.', 'Seite 4 hat keinen Text: Sie ist leer oder ein Bild.'],
      [
        'Pages 2–3, 7 have no text: they are empty, or pictures.',
        'Die Seiten 2–3, 7 haben keinen Text: Sie sind leer oder Bilder.',
      ],
      ['A build to come says this.', 'A build to come says this.'],
    ];
    for (const [english, german] of remarks) {
      it(english, () => {
        const said = remarkSaid(english);
        assert.equal(String(said), english);
        assert.equal(inGerman(said), german);
      });
    }

    it('also of one that was stored before', async () => {
      const { library } = await open();
      const source = 'content:---\ntitle: [\n---\nRetry a payment twice.\n';
      const { document } = await library.ingest({ source }, BY_TESTER);
      const { remarks: stored } = await library.source(document!.document_id);
      assert.deepEqual(stored.map(inGerman), ['Das Front Matter ist nicht lesbar und bleibt im Text stehen.']);
      assert.equal(JSON.stringify(stored), '["Its front matter cannot be read and stays in the text."]');
    });
  });

  it('a message, a hint, and a part of one are seen where they are in English only', () => {
    const code = [
      "const late = unreachable(url, 'nobody answers there', 'Try again later.'); // 'It is told.'",
      "throw refused(sentence('It is so.'), `Use another instead.`);",
      'throw new KaizenError(\'conflict\', "It isn\'t.", sentence("It isn\'t so."));',
    ];
    assert.deepEqual(saidInEnglishOnly(code.join('\n')), [
      "'nobody answers there'",
      "'Try again later.'",
      '`Use another instead.`',
      '"It isn\'t."',
    ]);
  });

  it('of an address that leads to no machine of the Internet it is said to what', () => {
    const rules = { allowedDomains: [], domains: [], allowPrivateAddresses: false, networkOf: privateNetwork };
    for (const address of [
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
    ]) {
      assert.throws(
        () => checkedAddress(`http://${address}/`, rules),
        (thrown) =>
          isKaizenError(thrown) &&
          /^\S+ wird nicht abgerufen: Das Ziel von \S+ ist .*\. Private/.test(errorInGerman(thrown)),
      );
    }
  });

  it('has one word for a password', () => {
    const german = Object.values(
      JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>,
    );
    assert.deepEqual(
      german.filter((text) => /kennw(?:ort|ört)/i.test(text)),
      [],
    );
    assert.ok(german.includes('Hash eines Passworts'));
  });

  for (const file of SAID) {
    it(`src/${file} throws nothing in English only`, () => {
      const code = readFileSync(`src/${file}`, 'utf8');
      assert.deepEqual(
        saidInEnglishOnly(code).filter((text) => !TOLD.test(text)),
        [],
      );
      assert.doesNotMatch(code, /new KaizenError\(\s*'\w+',\s*['"`]/);
    });
  }
});
