import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

type FetchHandler = (request: Request, options: { parsedBody: unknown }) => Promise<Response>;

/**
 * Passes a Node request, whose body is already parsed, to a web-standard handler and writes its response. The SDK's own
 * adapter would serialise the body again only to carry it in a `Request` that nobody reads.
 */
export async function serveByFetch(
  handler: FetchHandler,
  req: IncomingMessage,
  res: ServerResponse,
  parsedBody: unknown,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const url = `http://${req.headers.host}${req.url}`;
  const request = new Request(url, { method: req.method ?? 'POST', headers, signal: gone.signal });
  const response = await handler(request, { parsedBody });
  if (gone.signal.aborted) return;

  const answered = Object.fromEntries(response.headers);
  if (response.body === null || !answered['content-type']?.startsWith('text/event-stream')) {
    const body = Buffer.from(await response.arrayBuffer());
    res.writeHead(response.status, { ...answered, 'content-length': body.length }).end(body);
    return;
  }
  res.writeHead(response.status, answered).flushHeaders();
  const chunks = response.body.getReader();
  gone.signal.addEventListener('abort', () => void chunks.cancel().catch(() => {}));
  for (let next = await chunks.read(); !next.done; next = await chunks.read()) {
    if (!res.write(next.value)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
}
