import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Zephyr } from '../index.js';
import { FakeService } from '../testing/fake-service.js';
import { createTestBytes, MIB } from '../testing/fake-uploads.js';

const NODE_TIMEOUT_MS = 2_000;
const SLOW_MS = 2 * NODE_TIMEOUT_MS;
const READS_PER_SECOND = 50;

/** `fetch` of Node with a shorter time limit than its own of five minutes. */
async function createFetchWithShortTimeout(): Promise<typeof fetch> {
  await fetch('data:,');
  const global = (globalThis as never)[Symbol.for('undici.globalDispatcher.1')] as object;
  const Agent = global.constructor as new (options: { headersTimeout: number }) => never;
  const dispatcher = new Agent({ headersTimeout: NODE_TIMEOUT_MS });
  return (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
}

/** Reads slowly at first, and what the sockets hold at once. */
async function startSlowStore(onReceived: (bytes: Buffer, contentLength?: string) => void): Promise<string> {
  const receive: RequestListener = (request, response) => {
    const slowUntil = Date.now() + SLOW_MS;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Date.now() > slowUntil) return;
      request.pause();
      setTimeout(() => request.resume(), 1000 / READS_PER_SECOND);
    });
    request.on('end', () => {
      onReceived(Buffer.concat(chunks), request.headers['content-length']);
      response.end();
    });
  };
  const server = createServer(receive);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('a file that takes longer than the time limit of Node for a response is sent while its bytes are taken', async () => {
  const received: [Buffer, string?][] = [];
  const url = await startSlowStore((...each) => void received.push(each));
  const send = await createFetchWithShortTimeout();
  const service = new FakeService({
    'POST /api/v1/upload': () =>
      Response.json({ job_id: 'job-1', upload_url: url, content_type: 'audio/wav' }),
    'POST /api/v1/upload/complete': () => Response.json({ status: 'queued' }),
  });
  const client = new Zephyr({
    baseUrl: 'http://fake',
    apiKey: 'key',
    maxRetries: 0,
    fetch: (input, init) => (new Request(input).url === url ? send(input, init) : service.fetch(input, init)),
  });
  const bytes = createTestBytes(30 * MIB);
  await client.submit(bytes, { partSize: bytes.byteLength });
  expect(received).toHaveLength(1);
  expect(Buffer.compare(received[0]?.[0] as Buffer, bytes)).toBe(0);
  expect(received[0]?.[1]).toBe(String(bytes.byteLength));
}, 60_000);

it('a file is sent for as long as the service takes it: 1 KiB a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = new FakeService({
    'POST /api/v1/upload': () => Response.json({ job_id: 'job-1', upload_url: 'http://fake/put' }),
  });
  let put: AbortSignal | undefined;
  const send: typeof fetch = (input, init) => {
    if (init?.method !== 'PUT') return service.fetch(input, init);
    put = init.signal as AbortSignal;
    return new Promise<never>((_, reject) =>
      put?.addEventListener('abort', () => reject(put?.reason as Error), { once: true }),
    );
  };
  const client = service.client({ fetch: send, maxRetries: 0, timeoutMs: 1_000 });
  const submitting = client.submit(createTestBytes(MIB)).catch((error: unknown) => error);
  await vi.waitUntil(() => put !== undefined);
  await vi.advanceTimersByTimeAsync(1_024_000);
  expect(put?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(submitting).resolves.toMatchObject({ name: 'ConnectionTimeoutError' });
});
