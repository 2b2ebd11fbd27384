import assert from 'node:assert/strict';
import fc from 'fast-check';
import { intentOf } from '../../src/guard/hooks';
import type { ToolIntent } from '../../src/guard/model';

describe('what a tool is about to do', () => {
  const patch = [
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '@@',
    '-old',
    '+new',
    '*** Delete File: src/b.ts',
    '*** Add File: src/c.ts',
    '+added',
    '*** End Patch',
  ].join('\n');
  const diff = [
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1 +1 @@',
    '-old',
    '+new',
    '--- a/src/b.ts',
    '+++ /dev/null',
    '-gone',
  ].join('\n');

  const table: [name: string, input: Record<string, unknown>, expected: Partial<ToolIntent>][] = [
    [
      'Edit',
      { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' },
      { kind: 'edit', paths: ['/w/a.ts'], replaced: [] },
    ],
    ['Write', { file_path: '/w/a.ts', content: 'x' }, { kind: 'edit', texts: ['x'], replaced: ['/w/a.ts'] }],
    [
      'MultiEdit',
      {
        file_path: '/w/a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd' },
        ],
      },
      { kind: 'edit', paths: ['/w/a.ts'] },
    ],
    [
      'NotebookEdit',
      { notebook_path: '/w/a.ipynb', new_source: 'x' },
      { kind: 'edit', texts: ['x'], replaced: ['/w/a.ipynb'] },
    ],
    ['Read', { file_path: '/w/a.ts' }, { kind: 'read' }],
    // Where a command starts, and files and texts, under the names that other programs have for them.
    ['exec_command', { cmd: 'rm 1.sql', workdir: '/w/db' }, { kind: 'command', paths: ['/w/db/1.sql'] }],
    ['Shell', { command: 'rm 1.sql', working_directory: 'db' }, { kind: 'command', paths: ['db/1.sql'] }],
    ['run_shell_command', { command: 'rm 1.sql', directory: 'db' }, { kind: 'command', paths: ['db/1.sql'] }],
    ['write_to_file', { TargetFile: '/w/a.ts', CodeContent: 'x' }, { kind: 'edit', paths: ['/w/a.ts'], texts: ['x'] }],
    ['write_file', { absolute_path: '/w/a.ts', content: 'x' }, { kind: 'edit', paths: ['/w/a.ts'] }],
    ['mcp__serena__replace_symbol_body', { relative_path: 'a.ts', body: 'x' }, { kind: 'edit', paths: ['a.ts'] }],
    [
      'mcp__filesystem__edit_file',
      { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] },
      { kind: 'edit', texts: ['x', 'y'] },
    ],
    ['Grep', { pattern: 'rm -rf', path: '/w' }, { kind: 'read' }],
    ['Task', { prompt: 'remove migrations/', description: 'x' }, { kind: 'read', paths: [] }],
    ['Bash', { command: 'ls migrations', description: 'rm' }, { kind: 'read' }],
    [
      'Bash',
      { command: 'rm -rf migrations' },
      { kind: 'command', paths: ['migrations'], texts: ['rm -rf migrations'] },
    ],
    [
      'replace_string_in_file',
      { filePath: '/w/a.ts', oldString: 'x', newString: 'y' },
      { kind: 'edit', paths: ['/w/a.ts'] },
    ],
    [
      'multi_replace_string_in_file',
      {
        explanation: 'e',
        replacements: [
          { filePath: '/w/a.ts', oldString: 'x', newString: 'y' },
          { filePath: '/w/b.ts', oldString: 'x', newString: 'y' },
        ],
      },
      { kind: 'edit', paths: ['/w/a.ts', '/w/b.ts'] },
    ],
    [
      'insert_edit_into_file',
      { filePath: '/w/a.ts', code: 'x', explanation: 'e' },
      { kind: 'edit', replaced: ['/w/a.ts'] },
    ],
    ['create_file', { filePath: '/w/a.ts', content: 'x' }, { kind: 'edit', texts: ['x'] }],
    ['create_directory', { dirPath: '/w/migrations/new' }, { kind: 'edit', paths: ['/w/migrations/new'] }],
    [
      'edit_notebook_file',
      { filePath: '/w/a.ipynb', cellId: 'TOP', newCode: ['a', 'b'] },
      { kind: 'edit', texts: ['a', 'b'] },
    ],
    [
      'apply_patch',
      { input: patch, explanation: 'e' },
      { kind: 'edit', paths: ['src/a.ts', 'src/b.ts', 'src/c.ts'], texts: ['old\nnew\nadded'], replaced: ['src/b.ts'] },
    ],
    // As Codex hands it over.
    ['apply_patch', { command: patch }, { kind: 'edit', paths: ['src/a.ts', 'src/b.ts', 'src/c.ts'] }],
    ['apply_diff', { diff }, { kind: 'edit', paths: ['src/a.ts', 'src/b.ts'], replaced: ['src/b.ts'] }],
    [
      'run_in_terminal',
      { command: 'rm migrations/1.sql', explanation: 'e', isBackground: false },
      { kind: 'command', paths: ['migrations/1.sql'] },
    ],
    [
      'create_and_run_task',
      { task: { label: 'x', type: 'shell', command: 'rm', args: ['-rf', 'migrations'] } },
      { kind: 'command', paths: ['migrations'] },
    ],
    ['read_file', { filePath: '/w/a.ts', startLine: 1 }, { kind: 'read' }],
    ['shell', { command: ['bash', '-lc', 'rm migrations/1.sql'] }, { kind: 'command', paths: ['migrations/1.sql'] }],
    ['str_replace_editor', { command: 'view', path: '/w/a.ts' }, { kind: 'read' }],
    [
      'str_replace_editor',
      { command: 'create', path: '/w/a.ts', file_text: 'x' },
      { kind: 'edit', replaced: ['/w/a.ts'] },
    ],
    ['Delete', { path: '/w/a.ts' }, { kind: 'edit', replaced: ['/w/a.ts'] }],
    [
      'mcp__filesystem__write_file',
      { path: '/w/a.ts', content: 'x' },
      { kind: 'edit', paths: ['/w/a.ts'], texts: ['x'] },
    ],
    ['mcp__filesystem__read_text_file', { path: '/w/a.ts' }, { kind: 'read' }],
    ['mcp__shell__run', { command: 'rm a.ts' }, { kind: 'command', paths: ['a.ts'] }],
    ['mcp__lint__check', { path: '/w/a.ts' }, { kind: 'other', paths: ['/w/a.ts'] }],
    ['mcp__kaizen__store_knowledge_overwrite', { content: 'DANGER: rm', path: 'a.ts' }, { kind: 'other', paths: [] }],
    ['mcp_kaizen_ingest_document', { file: 'a.md' }, { kind: 'other', paths: [] }],
    ['unheard_of', {}, { kind: 'other', paths: [], texts: [] }],
  ];
  for (const [name, input, expected] of table) {
    it(`${name} ${JSON.stringify(input).slice(0, 60)}: ${expected.kind}`, () => {
      const found = intentOf({ name, input }, 'linux');
      assert.deepEqual({ ...found, ...expected }, found);
    });
  }

  it('reads a terminal of Windows as PowerShell, and its Bash as Bash', () => {
    const input = { command: 'del migrations\\1.sql' };
    assert.deepEqual(intentOf({ name: 'run_in_terminal', input }, 'win32').paths, ['migrations\\1.sql']);
    assert.deepEqual(intentOf({ name: 'Bash', input: { command: 'rm a\\ b.sql' } }, 'win32').paths, ['a b.sql']);
  });

  it('takes whatever arguments it is given', () => {
    const names = fc.constantFrom(
      'Edit',
      'Write',
      'Bash',
      'apply_patch',
      'create_and_run_task',
      'memory',
      'anything',
      'delete_it',
    );
    fc.assert(
      fc.property(
        fc.oneof(names, fc.string()),
        fc.dictionary(
          fc.constantFrom('file_path', 'files', 'edits', 'command', 'input', 'task', 'args'),
          fc.jsonValue(),
        ),
        (name, input) => {
          const { paths, texts, replaced } = intentOf({ name, input });
          for (const each of [...paths, ...texts, ...replaced]) assert.equal(typeof each, 'string');
        },
      ),
    );
  });
});
