import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RedirectError, Zephyr } from '../index.js';

let servers: Server[];
let received: string[];
beforeEach(() => {
  servers = [];
  received = [];
});
afterEach(() => servers.forEach((server) => server.close()));

/** @returns its address */
async function listen(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const listenForKeys = () =>
  listen((request, response) => {
    received.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`);
    response.end('{"api_key":{}}');
  });

const listenAndRedirect = (status: number, target: (path: string) => string) =>
  listen((request, response) => {
    received.push('redirected');
    response.writeHead(status, { location: target(request.url as string) }).end();
  });

describe('a redirect of the service', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is refused at once, and the key goes nowhere else',
    async (status) => {
      const other = await listenForKeys();
      const baseUrl = await listenAndRedirect(status, (path) => `${other}${path}`);
      const client = new Zephyr({ baseUrl, apiKey: 'secret' });
      const message = `${baseUrl} redirects to ${other}; use that URL.`;
      const calls = [
        () => client.account(),
        () => client.submit(new Uint8Array(10)),
        () => client.jobs.delete('j'),
        () => client.jobs.stream('j').next(),
      ];
      for (const call of calls)
        await expect(call()).rejects.toThrow(new RedirectError(new URL(baseUrl), other));
      await expect(client.account()).rejects.toThrow(message);
      expect(received).toEqual(Array.from({ length: 5 }, () => 'redirected'));
    },
  );

  it.each([
    ['/stt', (path: string) => path.replace('/stt', '/v2/stt'), '/v2/stt'],
    ['', () => '/login?next=account', '/login'],
  ])('is named by the URL to use (%j)', async (path, target, expected) => {
    const origin = await listenAndRedirect(302, target);
    const client = new Zephyr({ baseUrl: `${origin}${path}`, apiKey: 'secret' });
    await expect(client.account()).rejects.toThrow(`redirects to ${origin}${expected}; use that URL.`);
  });

  it('is refused in a browser, which hides where it leads', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const client = new Zephyr({
      baseUrl: 'http://fake',
      apiKey: 'key',
      fetch: () => Promise.resolve(hidden),
    });
    await expect(client.account()).rejects.toThrow('http://fake redirects to another URL; use that URL.');
  });

  it('is followed from a signed URL, which is sent no key', async () => {
    const other = await listenForKeys();
    const signed = await listenAndRedirect(307, () => `${other}/talk.txt`);
    const client = new Zephyr({ baseUrl: 'http://fake', apiKey: 'secret' });
    await client.transcripts.download(`${signed}/talk.txt`, 'txt');
    expect(received).toEqual(['redirected', 'GET /talk.txt undefined']);
  });
});
