import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { HaProxy } from './support/haproxy.js';

/** Longer than the keepalive probes take, and shorter than `timeout server`. */
const PAUSE_MS = 32_000;
/** More than all buffers on the way. */
const UPLOAD_BYTES = 40_000_000;

it('an API that is in service and reads nothing of an upload for half a minute gets all of it from HAProxy', async () => {
  const port = await findFreePort();
  const api = createServer((incoming, response) => {
    if (incoming.url === '/health/ready') return void response.end();
    let received = 0;
    setTimeout(() => {
      incoming.on('data', (chunk: Buffer) => (received += chunk.length));
      incoming.on('end', () => response.end(String(received)));
    }, PAUSE_MS);
  });
  api.listen(port, '127.0.0.1');
  onTestFinished(() => void api.close());
  const proxy = await HaProxy.start([port]);
  onTestFinished(() => proxy.stop());

  const upload = request(`${proxy.url}/api/v1/transcribe`, { method: 'POST' });
  upload.end(Buffer.alloc(UPLOAD_BYTES));
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  expect(String(await response.toArray())).toBe(String(UPLOAD_BYTES));
});
