import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKaizenError } from '../../src/core/errors';
import { type Sentence, saidElsewhere } from '../../src/core/sentence';
import type { NotesPart } from '../../src/notes';
import { REGISTRY } from '../../src/notes/registry/schema';
import { readAddress } from '../../src/postgres/address';
import { createEmbedder } from '../../src/search';
import { parseLines } from '../../src/transfer';
import { EmbeddingServer } from '../support/embedding-server';
import { errorInGerman } from '../support/german';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';
import { LibraryFolder } from '../support/library';
import { NoteFolders, noteText } from '../support/note-spaces';
import { docxOf, zipOf } from '../support/zip';

/** What is refused says this in English, and that to a person with a German editor, hint included. */
async function refuses(attempt: () => unknown, english: string, german: string): Promise<void> {
  await assert.rejects(
    async () => attempt(),
    (thrown) => {
      assert.ok(isKaizenError(thrown), String(thrown));
      assert.equal(thrown.hint === undefined ? thrown.message : `${thrown.message} ${thrown.hint}`, english);
      assert.equal(errorInGerman(thrown), german);
      return true;
    },
  );
}

describe('refused in German', () => {
  describe('scopes and entries', () => {
    const open = useHalls();
    const key = { scope_id: 'shop', category: 'git', keyword: 'push' };
    const cases: [(hall: Hall) => unknown, string, string][] = [
      [
        async (hall) => {
          await hall.define('all', 'GENERAL');
          await hall.define('everything', 'GENERAL');
        },
        'There is a GENERAL scope already: "all". At most one can exist; store what holds everywhere in it.',
        'Es gibt schon einen Scope der Ebene GENERAL: „all“. Es kann nur einen geben; speichern Sie darin, was überall gilt.',
      ],
      [
        (hall) => hall.define('family', 'GROUP', ['shop']),
        'A GROUP scope cannot have the PROJECT scope "shop" as a parent. Its parents can be of tier PRODUCT, GENERAL.',
        'Ein Scope der Ebene GROUP kann nicht vom Scope „shop“ der Ebene PROJECT erben. Erben kann er von diesen Ebenen: PRODUCT, GENERAL.',
      ],
      [
        ({ knowledge }) => knowledge.restore(key, 7, BY_TESTER),
        'The entry "push" has no revision 7. It has revisions 1 to 1.',
        'Der Eintrag „push“ hat keine Revision 7. Er hat die Revisionen 1 bis 1.',
      ],
      [
        ({ knowledge }) => knowledge.move(key, key, BY_TESTER),
        '"push" stands in "git" of "shop" already. Name another scope, category or keyword to move it to.',
        '„push“ steht bereits in „git“ von „shop“. Nennen Sie als Ziel einen anderen Scope, eine andere Kategorie oder ein anderes Schlüsselwort.',
      ],
    ];
    for (const [attempt, english, german] of cases) {
      it(english, async () => {
        const hall = await open();
        await hall.define('shop', 'PROJECT');
        await hall.put('shop', 'git', 'push');
        await refuses(() => attempt(hall), english, german);
      });
    }
  });

  describe('notes', () => {
    let folders: NoteFolders;
    beforeEach(() => {
      folders = new NoteFolders();
      folders.write({ 'patterns/042-mail.md': noteText('042-mail') });
    });
    afterEach(() => folders.remove());

    const ADA = { author: 'Ada' };
    const create = (notes: NotesPart, zettel_id: string, category?: string) =>
      notes.write(
        {
          action: 'create',
          location: 'project',
          input: { zettel_id, title: 'Mail', content: 'Text.', entry_type: 'pattern', category },
        },
        ADA,
      );
    const update = (notes: NotesPart, title: string) =>
      notes.write({ action: 'update', zettel_id: '042-mail', patch: { title } }, ADA);

    const cases: [(notes: NotesPart) => unknown, RegExp, RegExp][] = [
      [
        (notes) => create(notes, 'a/b'),
        /^The zettel_id "a\/b" has characters that a file name should not have, or begins with one\. An id has/,
        /^Die Angabe „zettel_id“ geht so nicht: „a\/b“ hat Zeichen, die ein Dateiname nicht haben sollte, .* höchstens 120 Zeichen/,
      ],
      [
        (notes) => create(notes, 'mail', 'apis/con'),
        /^The category "apis\/con" has a part that is the name of a device on Windows\. A category is a folder/,
        /^Die Kategorie „apis\/con“ hat einen Teil, der so nicht geht: Er ist der Name eines Geräts unter Windows\. Eine/,
      ],
      [
        (notes) => create(notes, '042-mail'),
        /^The project space has "042-mail" already: .*042-mail\.md\. Update that one, or choose another zettel_id\.$/,
        /^Der Bereich „Projekt“ hat schon „042-mail“: .*042-mail\.md\. Ändern Sie die vorhandene, oder wählen/,
      ],
      [
        (notes) => notes.write({ action: 'delete', zettel_id: '043-mail' }, ADA),
        /^The project and user spaces have no note "043-mail"\. Did you mean 042-mail\?$/,
        /^Weder im Projekt noch unter den eigenen Notizen gibt es eine Notiz „043-mail“\. Ist 042-mail gemeint\?$/,
      ],
      [
        (notes) => notes.undo(9, ADA),
        /^There is no change 9 of notes\. The last \d+ changes are kept\. Look at the ones that there are\.$/,
        /^Es gibt keine Änderung 9 an Notizen\. Die letzten \d+ Änderungen werden aufgehoben\. Sehen Sie nach, welche/,
      ],
      [
        async (notes) => {
          await update(notes, 'Post');
          writeFileSync(join(folders.project, 'patterns', '042-mail.md'), noteText('042-mail', 'By hand.'));
          await notes.undo(1, ADA);
        },
        /042-mail\.md" is not as change 1 left it: it was changed since\. Compare the two, and take over by hand/,
        /042-mail\.md“ ist nicht, wie Änderung 1 es hinterließ: Es wurde seither geändert\. Vergleichen Sie beide/,
      ],
      [
        async (notes) => {
          const head = '---\nzettel_id: 042-mail\ntags: [a\n---\nText.\n';
          writeFileSync(join(folders.project, 'patterns', '042-mail.md'), head);
          await notes.rescan();
          await update(notes, 'Post');
        },
        /^The front matter cannot be edited, because of its line \d: .* Correct it by hand, and try again\. Nothing was/,
        /^Das Front Matter kann nicht bearbeitet werden, wegen seiner Zeile \d: .* Berichtigen Sie es von Hand, und/,
      ],
    ];
    for (const [attempt, english, german] of cases) {
      it(english.source, async () => {
        const notes = await folders.indexed();
        await assert.rejects(
          async () => attempt(notes),
          (thrown) => {
            assert.ok(isKaizenError(thrown), String(thrown));
            assert.match(`${thrown.message} ${thrown.hint}`, english);
            assert.match(errorInGerman(thrown), german);
            return true;
          },
        );
      });
    }
  });

  describe('documents that the library cannot read', () => {
    let folder: LibraryFolder;
    beforeEach(() => {
      folder = new LibraryFolder();
    });
    afterEach(() => folder.remove());

    const documents: [string, string | Buffer, RegExp][] = [
      ['empty.pdf', '', /^\S+ ist leer\. Es gibt darin nichts zu lesen\.$/],
      ['blank.md', ' \n', /^\S+ ist leer\. Es steht kein Text darin\.$/],
      ['photo.pdf', '\x89PNG\r\n', /^\S+ ist ein Bild und wird nicht gelesen\. Lassen Sie eine Texterkennung/],
      ['letter.rtf', '{\\rtf1 Text}', /^\S+ ist ein Dokument im Rich Text Format und wird nicht gelesen\. Speichern/],
      ['cut.pdf', '%PDF-1.7\nText', /^\S+ ist beschädigt: Das Ende fehlt\. Es wurde nicht vollständig übertragen/],
      ['odd.pdf', 'a\0b', /^\S+ ist nicht, was zu erwarten war \(ein PDF\), oder der Anfang ist beschädigt\. Holen/],
      ['broken.docx', 'PK\x03\x04abc', /^\S+ ist beschädigt: Das Ende fehlt\. Holen Sie es noch einmal, oder öffnen/],
      ['old.doc', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', /^\S+ ist ein Dokument eines alten Office/],
      ['table.xlsx', zipOf([{ name: 'xl/workbook.xml', content: '<x/>' }]), /^\S+ ist eine Arbeitsmappe und wird/],
      ['nothing.docx', docxOf([]), /^\S+ hat keinen Text\. Wenn es Bilder von Seiten zeigt/],
      ['script.html', '<!doctype html><html><body></body></html>', /^\S+ hat keinen Text: Skripte erzeugen/],
      ['deep.html', `<!doctype html>${'<div>'.repeat(200_000)}`, /^\S+ ist zu tief verschachtelt\. Öffnen Sie es/],
    ];
    for (const [name, content, german] of documents) {
      it(name, async () => {
        const source = folder.write(name, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
        await assert.rejects(folder.open().ingest({ source }, BY_TESTER), (thrown) => {
          assert.ok(isKaizenError(thrown), String(thrown));
          assert.equal(thrown.code, 'unreadable_source');
          assert.match(errorInGerman(thrown), german);
          // A thread says it with plain objects.
          const told = structuredClone(thrown.said) as (Sentence | string)[];
          assert.deepEqual(told.map(saidElsewhere).map(String), [thrown.message, thrown.hint]);
          assert.equal(errorInGerman({ said: told.map(saidElsewhere) }), errorInGerman(thrown));
          return true;
        });
      });
    }
  });

  describe('what was learned', () => {
    const open = useHalls();
    const capture = async ({ learning }: Hall, tasks: { name: string; depends_on?: string[] }[] = []) =>
      (await learning.write({ operation: 'capture_project', project: { name: 'Shop', tasks } }, BY_TESTER)).record.id;
    const go = ({ learning }: Hall, project_id: string, transition: 'activate' | 'reopen' | 'abandon') =>
      learning.write({ operation: 'transition_project', project_id, transition }, BY_TESTER);

    const cases: [(hall: Hall) => unknown, string, string][] = [
      [
        async (hall) => go(hall, await capture(hall), 'reopen'),
        'The transition "reopen" is not possible for the project "Shop", which is planning. Allowed from planning: activate.',
        'Der Übergang „wieder öffnen“ ist für das Projekt „Shop“ nicht möglich: Es ist in Planung. Was in Planung ist, kann begonnen werden.',
      ],
      [
        async (hall) => {
          const id = await capture(hall);
          await go(hall, id, 'activate');
          await go(hall, id, 'activate');
        },
        'The transition "activate" is not possible for the project "Shop", which is active. Allowed from active: complete, abandon.',
        'Der Übergang „beginnen“ ist für das Projekt „Shop“ nicht möglich: Es ist begonnen. Was begonnen ist, kann abgeschlossen oder aufgegeben werden.',
      ],
      [
        (hall) => go(hall, 'proj-shop', 'activate'),
        'There is no project "proj-shop". It may have been deleted. Look at the projects that there are.',
        'Nicht vorhanden: Projekt „proj-shop“. Vielleicht wurde es gelöscht. Sehen Sie nach, was es gibt (Projekt).',
      ],
      [
        (hall) => capture(hall, [{ name: 'Build', depends_on: ['Paint'] }]),
        'The task "Build" depends on "Paint", which is no task of the project. Its tasks are "Build".',
        'Die Aufgabe „Build“ hängt von „Paint“ ab; das ist keine Aufgabe des Projekts. Seine Aufgaben sind "Build".',
      ],
      [
        (hall) =>
          capture(hall, [
            { name: 'Build', depends_on: ['Test'] },
            { name: 'Test', depends_on: ['Build'] },
          ]),
        'Tasks wait for each other in a circle: "Build" → "Test" → "Build". Break it up.',
        'Aufgaben warten im Kreis aufeinander: "Build" → "Test" → "Build". Lösen Sie ihn auf.',
      ],
      [
        ({ learning }) => learning.undo(99, BY_TESTER),
        'There is no change 99 of captured records. The last 2000 changes are kept. Look at the ones that there are.',
        'Es gibt keine Änderung 99 an Festgehaltenem. Die letzten 2000 Änderungen werden aufgehoben. Sehen Sie nach, welche es gibt.',
      ],
    ];
    for (const [attempt, english, german] of cases) {
      it(english, async () => refuses(async () => attempt(await open()), english, german));
    }
  });

  describe('relations', () => {
    const open = useHalls();
    const PUSH = 'knowledge://scopes/shop/git/push';
    const relate = async (target: string) => {
      const hall = await open();
      await hall.define('shop', 'PROJECT');
      await hall.put('shop', 'git', 'push');
      return hall.relations.add({ source: PUSH, target, type: 'causes' }, BY_TESTER);
    };
    it('to nothing', () =>
      refuses(
        () => relate('knowledge://scopes/shop/git/pull'),
        'There is nothing at "knowledge://scopes/shop/git/pull". Name it by its address (knowledge://…), as searches answer it, or by the id of a captured record or a passage of the library.',
        'Unter „knowledge://scopes/shop/git/pull“ gibt es nichts. Nennen Sie die Adresse (knowledge://…), wie Suchen sie liefern, oder die Id von Festgehaltenem oder einer Textstelle der Bibliothek.',
      ));
    it('to itself', () =>
      refuses(
        () => relate(PUSH),
        `A relation leads from one thing to another. Both ends are ${PUSH}.`,
        `Eine Beziehung führt von einem zu einem anderen. Beide Enden sind ${PUSH}.`,
      ));
  });

  describe('imports', () => {
    const files: [string, string, string][] = [
      [
        '# Notes\n',
        'line 1: this is not JSON (each line holds one whole JSON object). A Kaizen file begins with {"type":"kaizen","format":1}.',
        'Zeile 1: Das ist kein JSON (jede Zeile enthält ein ganzes JSON-Objekt). Eine Datei von Kaizen beginnt mit {"type":"kaizen","format":1}.',
      ],
      [
        '{"type":"other"}\n',
        'line 1: this is not a Kaizen export file. A Kaizen file begins with {"type":"kaizen","format":1}.',
        'Zeile 1: Das ist kein Export von Kaizen. Eine Datei von Kaizen beginnt mit {"type":"kaizen","format":1}.',
      ],
    ];
    for (const [text, english, german] of files) {
      it(english, () =>
        refuses(() => parseLines(text, { author: 'Ada', at: '2026-05-04T09:00:00.000Z' }), english, german),
      );
    }
  });

  describe('search by meaning', () => {
    const MODELS = { modelsDirectory: 'unused' };
    const endpoint = (url: string, model = 'test', key?: string) =>
      createEmbedder({ provider: 'endpoint', url, model, key }, MODELS);
    const EXAMPLE = 'Ein Beispiel: http://127.0.0.1:11434/v1 für Ollama auf diesem Computer.';
    const settings: [() => unknown, string][] = [
      [() => endpoint('ollama'), `Die Adresse für Embeddings ist keine URL. ${EXAMPLE}`],
      [
        () => endpoint('ftp://x.test'),
        `Die Adresse für Embeddings beginnt mit ftp:, nicht mit https: oder http:. ${EXAMPLE}`,
      ],
      [
        () => endpoint('https://a:b@x.test'),
        'Die Adresse für Embeddings enthält einen Namen oder ein Passwort. Geben Sie den Schlüssel für sich an.',
      ],
      [
        () => endpoint('http://x.test'),
        'http: geht nur für diesen Computer, und x.test ist ein anderer. Verwenden Sie https:, damit unterwegs weder Texte noch Schlüssel gelesen werden können.',
      ],
      [() => endpoint('https://x.test', ' '), 'Das Modell für Embeddings hat keinen Namen.'],
      [
        () => endpoint('https://x.test', 'test', 'a b'),
        'Der Schlüssel für Embeddings enthält ein Zeichen, das kein Schlüssel hat.',
      ],
      [
        () => createEmbedder({ provider: 'local' }, MODELS),
        'Das lokale Modell liefert keine Embeddings: Es ist nicht installiert. Installieren Sie das lokale Modell noch einmal, oder wählen Sie einen anderen Anbieter von Embeddings.',
      ],
    ];
    for (const [attempt, german] of settings) {
      it(german, () =>
        assert.throws(attempt, (thrown) => {
          assert.ok(isKaizenError(thrown), String(thrown));
          assert.equal(errorInGerman(thrown), german);
          return true;
        }),
      );
    }

    const answers: [status: number, body: string, german: string][] = [
      [401, '', 'Der Server weist den Schlüssel zurück (401). Legen Sie einen Schlüssel fest.'],
      [307, '', 'Der Server verweist auf eine andere Adresse (307). Geben Sie die Adresse an, auf die er verweist.'],
      [
        404,
        '{"error":"no such model"}',
        'Der Server antwortet 404: no such model. Prüfen Sie die Adresse und den Namen des Modells.',
      ],
      [503, '', 'Der Server antwortet 503. Später wird es noch einmal versucht.'],
      [200, 'no', 'Die Antwort ist nicht zu gebrauchen. Kein JSON. Prüfen Sie die Adresse und das Modell.'],
    ];
    for (const [status, body, german] of answers) {
      it(german, async () => {
        const server = await new EmbeddingServer().start();
        server.misbehave = (_asked, response) => {
          response.writeHead(status).end(body);
          return true;
        };
        const embedder = endpoint(server.url)!;
        try {
          await assert.rejects(embedder.embed(['text'], { use: 'query' }), (thrown) => {
            assert.ok(isKaizenError(thrown), String(thrown));
            assert.equal(errorInGerman(thrown), `Keine Embeddings von ${server.url}/embeddings: ${german}`);
            return true;
          });
        } finally {
          embedder.dispose();
          await server.stop();
        }
      });
    }
  });

  it('a connection string is refused without any part of it', () =>
    refuses(
      () => readAddress({ url: 'postgres://ada:se/cret@db/x' }, REGISTRY),
      'The connection string of the registry cannot be used: it cannot be read. It looks like this: postgres://user:password@host:5432/database. Signs like @ : / ? # % in the password are written %40 %3A %2F %3F %23 %25.',
      'Die Verbindungszeichenfolge der Registry kann nicht verwendet werden: Sie kann nicht gelesen werden. Sie sieht so aus: postgres://user:password@host:5432/database. Zeichen wie @ : / ? # % im Passwort werden %40 %3A %2F %3F %23 %25 geschrieben.',
    ));
});
