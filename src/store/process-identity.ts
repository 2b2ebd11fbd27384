import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

/** Tells one run of a process from every other, on every host, even when the system reuses its pid. */
export interface ProcessIdentity {
  /** Pids mean something only within one host, boot and pid namespace. */
  host: string;
  pid: number;
  /** When the process started: clock ticks since boot on Linux, milliseconds since the Unix epoch elsewhere. */
  start: number;
}

/** `unasked`: its pid lives, and `investigate` may find out whether that is still the same process. */
export type Liveness = 'alive' | 'dead' | 'unasked' | 'unknown';

/** Where start times come from two clocks, this many milliseconds apart still means the same process. */
const START_TOLERANCE_MS = 5_000;
/** How long an answer of `ps` or PowerShell is trusted. */
const ANSWER_LIFETIME_MS = 5_000;

let own: ProcessIdentity | undefined;
const answers = new Map<number, { at: number; start: number | undefined; asking?: boolean }>();

export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostName(),
    pid: process.pid,
    start: linuxStart(process.pid) ?? Math.round(performance.timeOrigin),
  };
  return own;
}

/** Whether the process still runs, as far as can be told at once. `unknown` when it cannot be told at all. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  if (identity.host !== ownIdentity().host) return 'unknown';
  if (!pidExists(identity.pid)) return 'dead';
  if (process.platform === 'linux') return linuxStart(identity.pid) === identity.start ? 'alive' : 'dead';
  const answer = answers.get(identity.pid);
  if (!answer || Date.now() - answer.at > ANSWER_LIFETIME_MS) return 'unasked';
  if (answer.start === undefined) return answer.asking ? 'unasked' : 'unknown';
  return Math.abs(answer.start - identity.start) <= START_TOLERANCE_MS ? 'alive' : 'dead';
}

/** Asks the system when the process started, where that takes a command; `livenessOf` knows afterwards. */
export async function investigate(identity: ProcessIdentity): Promise<void> {
  if (process.platform === 'linux' || identity.host !== ownIdentity().host) return;
  const { pid } = identity;
  const known = answers.get(pid);
  if (known && Date.now() - known.at < ANSWER_LIFETIME_MS) return;
  answers.set(pid, { at: Date.now(), start: known?.start, asking: true });
  const text =
    process.platform === 'darwin'
      ? await ask('ps', ['-o', 'lstart=', '-p', String(pid)])
      : process.platform === 'win32'
        ? await ask('powershell.exe', [
            '-NoProfile',
            '-Command',
            `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`,
          ])
        : undefined;
  const start = text ? Date.parse(process.platform === 'darwin' ? `${text} UTC` : text) : Number.NaN;
  answers.set(pid, { at: Date.now(), start: Number.isNaN(start) ? undefined : start });
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hostName(): string {
  if (process.platform !== 'linux') return os.hostname();
  // Containers that share a directory have hosts and pids of their own, and a reboot ends every process.
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return `${os.hostname()}/${boot}/${namespace}`;
}

/** Field 22 of proc_pid_stat(5). A zombie holds nothing any more, so it has no start. */
function linuxStart(pid: number): number | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19]);
}

async function ask(command: string, args: string[]): Promise<string | undefined> {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = await promisify(execFile)(command, args, { timeout: 5_000, windowsHide: true, env });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
