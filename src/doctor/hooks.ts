import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { KaizenCommand } from '../agents';
import { sentence } from '../core/sentence';
import { freshness, guardPlace, readGuardIndex, readRecords, readState } from '../guard/hooks';
import { Area } from './findings';
import { mendOf, missingLauncher } from './missing-launcher';
import type { DoctorFinding } from './model';
import { checkRemembered } from './remembered';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('hooks');

/** A hook that takes longer makes an agent's every step longer. */
const SLOW_MS = 1_000;
/** As clients give up (the hooks' own limit is 15 s). */
const PATIENCE_MS = 15_000;
/** Of the log that are looked through. */
const LOOKED_AT = 500;

/** Whether hooks are on, whether what they start runs, how long a call takes, and which calls failed. */
export async function* checkHooks(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  if (around.hooks === false) {
    yield area.note(
      'hooks_off',
      sentence("The editor's hooks are off: its agents get no brief, and you are not asked before a known danger."),
      {
        sentence: sentence('Switch on the setting {0}, if that is not meant.', 'kaizen.agents.hooks'),
      },
    );
  } else if (around.hooks && around.hooksKeptOffBy !== undefined) {
    yield area.problem(
      'hooks_kept_off',
      sentence(
        'The editor runs no hooks: its setting {0} is off. Its agents get no brief, and you are not asked before a known danger.',
        around.hooksKeptOffBy,
      ),
      { sentence: sentence('Switch on the setting {0}, if that is not meant.', around.hooksKeptOffBy) },
    );
  } else if (around.hooks) yield area.ok('hooks_on', sentence("The editor's hooks are on."));
  const command = yield* launcher(around);
  const isAnswered = command !== undefined && (yield* timeOfCall(command, around));
  yield* checkRemembered(around, isAnswered);
}

/** What clients start: the editor's launcher where there is one, else what starts this Kaizen. */
async function startedByClients({ kaizen, hooks, platform }: DoctorSurroundings): Promise<KaizenCommand> {
  const { launcherCommand, readLauncher } = await import('../agents');
  const isWritten = hooks !== undefined || (await readLauncher(platform)) !== undefined;
  return isWritten ? launcherCommand(platform) : kaizen;
}

/** Starts what clients start, to see that it is there. Returns it when it answered. */
async function* launcher(around: DoctorSurroundings): AsyncGenerator<DoctorFinding, KaizenCommand | undefined> {
  const { versions, platform } = around;
  const command = await startedByClients(around);
  if (command.command === 'npx') {
    yield area.note(
      'launcher_npx',
      sentence('Clients start Kaizen by npx, which may ask the network; it was not tried.'),
      {
        sentence: sentence(
          'See whether npx has it already, without asking the network. Better, install Kaizen globally and set the clients up again from there.',
        ),
        // A name that nobody has taken yet runs whatever somebody puts there.
        command: ['npx', '--no', ...command.args.filter((word) => !/^-/.test(word)), '--version'].join(' '),
      },
    );
    return undefined;
  }
  if (!isThere(command.command, platform.env)) {
    const finding = await missingLauncher(around);
    if (finding) yield finding;
    return undefined;
  }
  const { code, stdout } = await run(command, around, ['--version'], '');
  const version = /^\d+\.\d+\.\d+\S*/m.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) {
    const message =
      code === null
        ? sentence('What clients start (the launcher) does not run: it did not end by itself.')
        : sentence('What clients start (the launcher) does not run: it ended with exit code {0}.', code);
    yield area.problem('launcher_broken', message, mendOf(around));
    return undefined;
  }
  if (version === versions.kaizen)
    yield area.ok('launcher_runs', sentence('What clients start runs Kaizen {0}.', version));
  else {
    yield area.note(
      'launcher_other_version',
      sentence('What clients start runs Kaizen {0}; this one is {1}.', version, versions.kaizen),
      { sentence: sentence('Update the older one, so that both open the same stores.') },
    );
  }
  return command;
}

/**
 * Of a call that asks about nothing, in a session that was there before, and only where it opens no store: nothing is
 * written for such a call. Returns whether it was answered.
 */
async function* timeOfCall(command: KaizenCommand, around: DoctorSurroundings): AsyncGenerator<DoctorFinding, boolean> {
  const { data, shared, project = '', workspace } = around;
  const place = guardPlace({ data, shared, project });
  const index = place && readGuardIndex(place);
  if (!place || !index || (await freshness(index, place.data)).holds === 'nothing') return false;
  const session = readRecords(place.directory, LOOKED_AT)
    .map(({ session_id }) => session_id)
    .find((id) => readState(place.directory, id).began !== undefined);
  if (session === undefined) return false;
  const call = {
    ...{ session_id: session, cwd: workspace, hook_event_name: 'PreToolUse', tool_name: 'Read' },
    ...{ tool_input: { file_path: join(workspace, 'README.md') }, tool_use_id: 'kaizen-doctor' },
  };
  const flags = [
    '--data',
    data,
    '--shared',
    shared,
    '--workspace',
    workspace,
    ...(project ? ['--project', project] : []),
  ];
  const { code, ms, stdout } = await run(command, around, ['hook', 'pre-tool-use', ...flags], JSON.stringify(call));
  if (code !== 0 || !isObject(stdout)) {
    yield area.problem('hook_failed', sentence('A call of a hook did not answer as it should.'), {
      sentence: sentence('See what the log says of it.'),
      command: 'kaizen hook log',
    });
    return false;
  }
  if (ms > SLOW_MS) {
    yield area.note(
      'hook_slow',
      sentence('A call of a hook took {0} ms: an agent waits so long at each step.', Math.round(ms)),
      {
        sentence: sentence('A virus scanner, a slow disk or a busy computer may be why.'),
      },
    );
  } else yield area.ok('hook_time', sentence('A call of a hook took {0} ms.', Math.round(ms)));
  return true;
}

interface Ran {
  /** Null where it was ended. */
  code: number | null;
  stdout: string;
  ms: number;
}

/**
 * Without a shell but on Windows, where scripts need one. Never in the workspace: Windows looks for programs in the
 * current folder first, and what lies in a repository is not to be started. Never throws but for the signal.
 */
function run(
  kaizen: KaizenCommand,
  { platform, signal }: DoctorSurroundings,
  words: readonly string[],
  input: string,
): Promise<Ran> {
  const isScript = platform.platform === 'win32' && !/\.exe$/i.test(kaizen.command);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const all = [kaizen.command, ...kaizen.args, ...words];
    const [command = '', ...args] = isScript
      ? [windowsShell(platform.env), '/d', '/s', '/c', `"${all.map(forCmd).join(' ')}"`]
      : all;
    const child = spawn(command, args, {
      cwd: dirname(process.execPath),
      env: platform.env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: PATIENCE_MS,
      windowsHide: true,
      windowsVerbatimArguments: isScript,
      ...(signal ? { signal } : {}),
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < 1e6) stdout += text;
    });
    // It may have ended before it read.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const end = (code: number | null) => resolve({ code, stdout, ms: performance.now() - started });
    child.on('error', () => (signal?.aborted ? reject(signal.reason) : end(null)));
    child.on('close', end);
  });
}

/** Where Windows has its shell, as a whole path. */
function windowsShell({ ComSpec, SystemRoot = 'C:\\Windows' }: DoctorSurroundings['platform']['env']): string {
  return ComSpec && isAbsolute(ComSpec) ? ComSpec : `${SystemRoot}\\System32\\cmd.exe`;
}

/** cmd replaces variables even between quotes; a path with `%` in it is told as it is as far as cmd lets it. */
function forCmd(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/** As the system finds it: a path, or a name on the PATH. */
function isThere(command: string, env: DoctorSurroundings['platform']['env']): boolean {
  const folders = isAbsolute(command) ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter);
  const endings = ['', '.exe', '.cmd'];
  return folders.some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(folder === '' ? command + ending : join(folder, command + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
