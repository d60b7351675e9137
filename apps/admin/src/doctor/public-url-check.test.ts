import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@app/config';
import { ServiceError } from '@app/errors';
import { TranscriptUrlSigner } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkPublicUrl } from './public-url-check.js';

const SECRET = Buffer.alloc(32, 'own');

let server: Server;
let port: number;
/** Secret and clock of the API that responds. */
let [secret, aheadSeconds] = [SECRET, 0];

beforeAll(async () => {
  server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://any');
    const [, folder, jobId = ''] = pathname.split('/');
    if (folder !== 'transcripts') return void answer.writeHead(404).end('<p>Not found');
    const now = () => Date.now() / 1000 + aheadSeconds;
    let code = 'object_not_found';
    try {
      new TranscriptUrlSigner({ publicUrl: '', keys: [secret], now }).verify(
        ...([jobId, searchParams.get('expires'), searchParams.get('signature')] as const),
      );
    } catch (error) {
      if (error instanceof ServiceError) code = error.code;
    }
    answer.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ code }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

const check = (env: Record<string, string>) =>
  checkPublicUrl({ config: loadConfig(env), deriveKeys: () => [SECRET] });
const at = (path = '') => check({ PUBLIC_URL: `http://127.0.0.1:${port}${path}` });

describe('checkPublicUrl', () => {
  it('is ok when PUBLIC_URL leads to an API of this installation', async () => {
    expect(await at()).toMatchObject({ status: 'ok', detail: expect.stringContaining('leads here') });
    expect(await at('/')).toMatchObject({ status: 'ok' });
    expect(await check({ PUBLIC_URL: `http://localhost:${port}` })).toMatchObject({ status: 'ok' });
  });

  it('warns when another installation answers', async () => {
    secret = Buffer.alloc(32, 'other');
    onTestFinished(() => void (secret = SECRET));
    expect(await at()).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('another SERVICE_SECRET'),
    });
  });

  it('warns when the clock of the API is ahead', async () => {
    aheadSeconds = 600;
    onTestFinished(() => void (aheadSeconds = 0));
    expect(await at()).toMatchObject({ status: 'warning', advice: expect.stringContaining('NTP') });
  });

  it('warns when another program answers, and names the path as a possible cause', async () => {
    expect(await at('/some/path/')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('answered by another program'),
      advice: expect.stringContaining('strip /some/path'),
    });
  });

  it('warns when nothing answers or the host name does not resolve', async () => {
    expect(await check({ PUBLIC_URL: 'http://127.0.0.1:1' })).toMatchObject({
      status: 'warning',
      detail: 'nothing answers at http://127.0.0.1:1',
    });
    expect(await check({ PUBLIC_URL: 'https://stt.invalid' })).toMatchObject({
      status: 'warning',
      detail: 'stt.invalid does not resolve',
    });
  });

  it('warns when PUBLIC_URL is unset and the API listens on all interfaces', async () => {
    expect(await check({})).toMatchObject({ status: 'ok' });
    expect(await check({ HOST: '0.0.0.0' })).toMatchObject({
      status: 'warning',
      advice: expect.stringContaining('PUBLIC_URL'),
    });
  });

  it.each(['stt.example', 'ftp://stt.example', 'https://stt.example/?x=1', 'https://user:pass@stt.example'])(
    'PUBLIC_URL %s prevents every program from starting',
    (address) => {
      expect(() => loadConfig({ PUBLIC_URL: address })).toThrow('PUBLIC_URL');
    },
  );
});
