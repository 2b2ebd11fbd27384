import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import type { Answered, Told } from './library-peer';

/** Makes processes of library-peer.ts, and ends them all. */
export class PeerProcesses {
  private readonly home = mkdtempSync(path.join(tmpdir(), 'kaizen-peers-'));
  private readonly running: PeerProcess[] = [];

  async build(): Promise<void> {
    await esbuild.build({
      entryPoints: { peer: 'test/faults/library-peer.ts' },
      outdir: this.home,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      external: ['sql.js/dist/sql-wasm.wasm', 'pg-native'],
    });
  }

  /** At the library of this connection string; ready when it resolves. */
  async start(url: string): Promise<PeerProcess> {
    const peer = new PeerProcess(path.join(this.home, 'peer.js'), url);
    this.running.push(peer);
    await peer.answer((said) => 'ready' in said);
    return peer;
  }

  async end(): Promise<void> {
    await Promise.all(this.running.splice(0).map((peer) => peer.kill()));
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export class PeerProcess {
  readonly said: Answered[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private isOver = false;

  constructor(script: string, url: string) {
    this.child = spawn(process.execPath, [script, url], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = once(this.child, 'close').then(() => {
      this.isOver = true;
    });
    readline.createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.said.push(JSON.parse(line) as Answered);
    });
  }

  tell(what: Told): void {
    this.child.stdin!.write(`${JSON.stringify(what)}\n`);
  }

  /** What it tells next of this kind; what it said before counts, once. */
  async answer<Kind extends Answered>(isIt: (said: Answered) => said is Kind): Promise<Kind>;
  async answer(isIt: (said: Answered) => boolean): Promise<Answered>;
  async answer(isIt: (said: Answered) => boolean): Promise<Answered> {
    for (;;) {
      const at = this.said.findIndex(isIt);
      if (at >= 0) return this.said.splice(at, 1)[0]!;
      if (this.isOver) throw new Error('The other process has ended.');
      await sleep(10);
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
