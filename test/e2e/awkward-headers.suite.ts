import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.js';
import { expectProblem } from './support/problem.js';
import { openSocket, sendRaw, sendRawWithoutKey, readResponse } from './support/raw-http.js';
import type { Service } from './support/service.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

let service: Service;
let client: Client;
let jobId: string;

const get = (path: string, headers: readonly (readonly [string, string])[] = []) =>
  sendRaw(client, { path, headers });

export function describeAwkwardHeaders(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
    jobId = (await client.create({ file_size: 1 })).job_id;
  });

  describe('§5 unusual request headers', () => {
    it('a request without a Host header answers a 400 problem', async () => {
      const socket = openSocket(client);
      socket.write(`GET /api/v1/jobs HTTP/1.1\r\nX-API-Key: ${client.apiKey}\r\nConnection: close\r\n\r\n`);
      expectProblem(await readResponse(socket), 400, 'malformed_request');
    });

    it('a request with two X-API-Key headers answers 401', async () => {
      const otherKey = (await service.openAccount(1)).api_key;
      for (const second of [client.apiKey ?? '', otherKey, '', 'x'])
        for (const keys of [
          [client.apiKey ?? '', second],
          [second, client.apiKey ?? ''],
        ]) {
          const headers = keys.map((key) => ['X-API-Key', key] as const);
          expectProblem(
            await sendRawWithoutKey(client, { path: `/api/v1/jobs/${jobId}`, headers }),
            401,
            'invalid_api_key',
          );
        }
    });

    it('the key is accepted in any case of the header name and with surrounding blanks', async () => {
      const headers = [['x-API-kEy', `  ${client.apiKey}\t`] as const];
      expect((await sendRawWithoutKey(client, { path: '/api/v1/jobs', headers })).status).toBe(200);
    });

    it('an overlong key or one with invalid characters answers 401', async () => {
      for (const key of [
        'a'.repeat(12_000),
        '\u00e9\u00ff',
        `${client.apiKey}\u00a0`,
        '"',
        'zk_%00',
        '../../x',
      ]) {
        const headers = [['X-API-Key', key] as const];
        expectProblem(
          await sendRawWithoutKey(client, { path: '/api/v1/jobs', headers }),
          401,
          'invalid_api_key',
        );
      }
    });

    it('oversized or malformed headers answer a problem', async () => {
      const long = await get('/api/v1/jobs', [['X-Padding', 'a'.repeat(100_000)]]);
      expectProblem(long, 431);
      for (const value of ['a\0b', 'a\u0001b'])
        expectProblem(await get('/api/v1/jobs', [['X-Padding', value]]), 400);
      expectProblem(await get('/api/v1/jobs', [['Bad Name', 'x']]), 400);
    });

    it('an invalid or duplicate X-Request-Id is replaced', async () => {
      for (const id of ['\u00e9'.repeat(10), 'x'.repeat(65), 'a b c d e f g h', '%00%00%00%00']) {
        const response = await get(`/api/v1/jobs/${UNKNOWN}`, [['X-Request-Id', id]]);
        expect(expectProblem(response, 404).request_id).not.toBe(id);
      }
      const two = [
        ['X-Request-Id', 'request-one'],
        ['X-Request-Id', 'request-two'],
      ] as const;
      expectProblem(await get(`/api/v1/jobs/${UNKNOWN}`, two), 404);
    });

    it('contradictory Content-Length headers answer 400', async () => {
      const body = '{"file_size":1}';
      const lengths = [
        [
          ['Content-Length', '15'],
          ['Content-Length', '14'],
        ],
        [
          ['Content-Length', '15'],
          ['Transfer-Encoding', 'chunked'],
        ],
        [['Content-Length', '-1']],
        [['Content-Length', '1e3']],
        [['Transfer-Encoding', 'gzip']],
      ] as const;
      for (const headers of lengths) {
        const request = { method: 'POST', path: '/api/v1/upload', headers: [JSON_TYPE, ...headers], body };
        expectProblem(await sendRaw(client, request), 400);
      }
    });
  });

  describe('the transfer of request bodies', () => {
    const body = '{"file_size": 1}';

    it('a request with Expect: 100-continue is answered and handled', async () => {
      const socket = openSocket(client);
      try {
        const pendingResponse = readResponse(socket);
        const firstResponseBytes = new Promise<string>((resolve) =>
          socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
        );
        socket.write(
          `POST /api/v1/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${client.apiKey}\r\nConnection: close\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
        );
        expect(await firstResponseBytes).toMatch(/^HTTP\/1.1 100 /);
        socket.write(body);
        expect((await pendingResponse).status).toBe(200);
      } finally {
        socket.destroy();
      }
    });

    it('an unknown Expect header is ignored', async () => {
      const headers = [JSON_TYPE, ['Expect', 'a-miracle'] as const];
      const response = await sendRaw(client, { method: 'POST', path: '/api/v1/upload', headers, body });
      expect(response.status, response.text).toBe(200);
    });

    it('a compressed JSON body answers 422', async () => {
      for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
        const headers = [JSON_TYPE, ['Content-Encoding', encoding] as const];
        expectProblem(
          await sendRaw(client, { method: 'POST', path: '/api/v1/upload', headers, body: gzipSync(body) }),
          422,
        );
      }
    });

    it('a chunked body is accepted, and malformed chunks answer 400', async () => {
      const headers = [JSON_TYPE, ['Transfer-Encoding', 'chunked'] as const];
      const path = '/api/v1/upload';
      const chunkedBody = `${body.length.toString(16)};x=y\r\n${body}\r\n0\r\n\r\n`;
      expect((await sendRaw(client, { method: 'POST', path, headers, body: chunkedBody })).status).toBe(200);
      expectProblem(
        await sendRaw(client, { method: 'POST', path, headers, body: 'zz\r\n{}\r\n0\r\n\r\n' }),
        400,
      );
    });

    it('a body of a GET request is ignored', async () => {
      const response = await sendRaw(client, {
        path: '/api/v1/jobs',
        headers: [JSON_TYPE],
        body: '{"limit": "x"',
      });
      expect([200, 422], response.text).toContain(response.status);
    });
  });
}
