import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LibraryOptions, type LibraryPart, openLibrary } from '../../src/library';

/** A directory with a library, and a workspace folder whose files are added to it. */
export class LibraryFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'kaizen-library-')));
  readonly workspace = join(this.root, 'workspace');
  now = Date.parse('2026-03-01T12:00:00.000Z');
  readonly logged: string[] = [];
  private readonly opened: LibraryPart[] = [];

  constructor() {
    mkdirSync(this.workspace);
  }

  /** Opened once more each time, as another process would. */
  open(options: Partial<LibraryOptions> = {}): LibraryPart {
    const library = openLibrary({
      place: { directory: join(this.root, 'library') },
      cacheDirectory: undefined,
      embeddingsDirectory: join(this.root, 'embeddings'),
      modelsDirectory: join(this.root, 'models'),
      workspace: this.workspace,
      web: { allowPrivateAddresses: true, rateLimit: 1_000 },
      clock: { now: () => this.now },
      log: (message) => this.logged.push(message),
      ...options,
    });
    this.opened.push(library);
    return library;
  }

  /** Its path; relative ones are of the workspace. */
  write(path: string, text: string | Buffer): string {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async remove(): Promise<void> {
    for (const library of this.opened) await library.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A web server on loopback that answers as a test says; robots.txt is not there unless it says so. */
export class PageServer {
  readonly asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
  private readonly pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  private server: Server | undefined;

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path !== '/robots.txt') this.asked.push({ path, headers: request.headers });
      const page = this.pages.get(path);
      if (page) return page(request, response);
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.');
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}${path}`;
  }

  /** An article with this ETag. */
  page(path: string, title: string, body: string, etag?: string): void {
    this.pages.set(path, (request, response) => {
      if (etag !== undefined && request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      const headers = { 'content-type': 'text/html; charset=utf-8', ...(etag === undefined ? {} : { etag }) };
      response
        .writeHead(200, headers)
        .end(
          `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>${body}</article></body></html>`,
        );
      return undefined;
    });
  }

  forget(path: string): void {
    this.pages.delete(path);
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
