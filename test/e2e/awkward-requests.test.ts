import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from './support/audio.js';
import { Client, expected } from './support/client.js';
import { openOneShot, oneShot, refusal } from './support/one-shot.js';
import { expectFields, expectProblem } from './support/problem.js';
import { open, raw, rawWithoutKey, readAnswer } from './support/raw.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

let service: Service;
let client: Client;
let jobId: string;

beforeAll(async () => {
  service = await Service.start({ STREAM_HEARTBEAT_SECONDS: '1' });
  client = await service.client();
  jobId = (await client.create({ file_size: 1 })).job_id;
});
afterAll(() => service?.stop());

const get = (path: string, headers: readonly (readonly [string, string])[] = []) =>
  raw(client, { path, headers });

describe('paths', () => {
  it('a percent-encoded id, or one in capitals, is the same id', async () => {
    const encoded = [...jobId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const id of [encoded, jobId.toUpperCase(), jobId.replace('-', '%2D')])
      expect(expected(200, await get(`/api/v1/jobs/${id}`))).toMatchObject({ status: 'processing' });
  });

  it.each([
    '/api/v1/jobs/{id}/',
    '//api/v1/jobs/{id}',
    '/api//v1/jobs/{id}',
    '/api/v1/jobs//{id}',
    '/api/v1/./jobs/{id}',
    '/api/v1/x/../jobs/{id}',
    '/api/v1/%2e%2e/v1/jobs/{id}',
    '/API/V1/JOBS/{id}',
    '/api/v1/jobs/{id}%00',
    '/api/v1/jobs/%00{id}',
    '/api/v1/jobs/{id}%20',
    '/api/v1/jobs/{id};x=1',
    '/api/v1/jobs/%7B{id}%7D',
    '/api/v1/jobs/urn:uuid:{id}',
    '/api/v1/jobs/%ED%A0%80',
    '/api/v1/jobs/%FF',
    '/api/v1/jobs/%',
    '/api/v1/jobs/%zz',
    '/api/v1/jobs/{id}/stream/',
    '/api/v1/jobs/{id}%2Fstream',
    '/api/v1/jobs/{id}/nothing',
    '/api/v1/upload/',
    '/api/v1',
    '/',
  ])('%s: 404', async (path) => {
    expectProblem(await get(path.replace('{id}', jobId)), 404);
  });

  it('no path at all, another form of target, a fragment: nothing of the inside is shown', async () => {
    for (const path of [
      '*',
      'http://example.com/api/v1/jobs',
      `/api/v1/jobs/${jobId}#x`,
      '/api/v1/jobs/\u00e9',
    ]) {
      const { status, text } = await get(path);
      expect([200, 400, 404], `${path} ${text}`).toContain(status);
      expect(text).not.toMatch(/node_modules|Error:/);
    }
  });

  it('a very long path: 404', async () => {
    expectProblem(await get(`/api/v1/jobs/${'a'.repeat(10_000)}`), 404);
    expectProblem(await get(`/api/v1/${'a/'.repeat(4_000)}`), 404);
  });
});

describe('§4.7 queries', () => {
  it.each([
    'limit=1e400',
    'limit=9223372036854775808',
    'limit[]=5',
    'limit=%ED%A0%80',
    'limit=5%00',
    'limit=+5',
    'before=%ED%A0%80',
    'before=2026-01-01T00:00:00Z%00',
    'before[]=2026-01-01T00:00:00Z&before=x',
    'before=%E2%88%92',
    `before=${'9'.repeat(8_000)}`,
  ])('%s: 400, or a page', async (query) => {
    const answer = await get(`/api/v1/jobs?${query}`);
    if (answer.status === 200) expect(JSON.parse(answer.text)).toHaveProperty('jobs');
    else expectProblem(answer, 400, 'query_invalid');
  });

  it('a query that is no query is no parameter', async () => {
    for (const query of [
      '',
      '&&&',
      '=',
      '%',
      '%zz=1',
      '__proto__=1',
      '__proto__[limit]=0',
      'a'.repeat(8_000),
    ])
      expect((await get(`/api/v1/jobs?${query}`)).status, query).toBe(200);
  });
});

describe('methods', () => {
  const PATHS = [
    '/api/v1/upload',
    '/api/v1/jobs',
    `/api/v1/jobs/${UNKNOWN}`,
    '/api/v1/transcribe',
    '/api/v1/jobs/cancel',
  ];

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT'])('%s: 404', async (method) => {
    for (const path of PATHS) expectProblem(await raw(client, { method, path }), 404);
  });

  it.each(['FOO', 'get', 'GETGET', ''])('%j is none: 400', async (method) => {
    expectProblem(await raw(client, { method, path: '/api/v1/jobs' }), 400);
  });

  it('HEAD answers what GET answers, without a body, and opens no stream', async () => {
    for (const path of [
      '/api/v1/jobs',
      `/api/v1/jobs/${jobId}`,
      `/api/v1/jobs/${UNKNOWN}`,
      '/api/v1/upload',
    ]) {
      const head = await raw(client, { method: 'HEAD', path }).catch((error: unknown) => error);
      expect(head, path).toMatchObject({ text: '' });
      expect([200, 404]).toContain((head as { status: number }).status);
    }
    const stream = await raw(client, { method: 'HEAD', path: `/api/v1/jobs/${jobId}/stream` });
    expect([200, 404]).toContain(stream.status);
    expect(stream.text).toBe('');
    expect(await served()).toBe(0);
  });
});

/** Streams that the pool serves. */
async function served(): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(/^zephyr_streams\{state="served".*\} (\d+)$/m.exec(text)?.[1]);
}

describe('§5 headers', () => {
  it('two keys, even the same one twice, are no key: 401', async () => {
    const stranger = (await service.openAccount(1)).api_key;
    for (const second of [client.apiKey ?? '', stranger, '', 'x'])
      for (const keys of [
        [client.apiKey ?? '', second],
        [second, client.apiKey ?? ''],
      ]) {
        const headers = keys.map((key) => ['X-API-Key', key] as const);
        expectProblem(
          await rawWithoutKey(client, { path: `/api/v1/jobs/${jobId}`, headers }),
          401,
          'key_invalid',
        );
      }
  });

  it('a key in any spelling of the header, with blanks around it', async () => {
    const headers = [['x-API-kEy', `  ${client.apiKey}\t`] as const];
    expect((await rawWithoutKey(client, { path: '/api/v1/jobs', headers })).status).toBe(200);
  });

  it('a key that is long, or of strange characters: 401', async () => {
    for (const key of [
      'a'.repeat(12_000),
      '\u00e9\u00ff',
      `${client.apiKey}\u00a0`,
      '"',
      'zk_%00',
      '../../x',
    ]) {
      const headers = [['X-API-Key', key] as const];
      expectProblem(await rawWithoutKey(client, { path: '/api/v1/jobs', headers }), 401, 'key_invalid');
    }
  });

  it('more than a server can take, or what no header may hold, is a problem as well', async () => {
    const long = await get('/api/v1/jobs', [['X-Padding', 'a'.repeat(100_000)]]);
    expectProblem(long, 431);
    for (const value of ['a\0b', 'a\u0001b'])
      expectProblem(await get('/api/v1/jobs', [['X-Padding', value]]), 400);
    expectProblem(await get('/api/v1/jobs', [['Bad Name', 'x']]), 400);
  });

  it('a request id of strange characters, or two of them, is replaced', async () => {
    for (const id of ['\u00e9'.repeat(10), 'x'.repeat(65), 'a b c d e f g h', '%00%00%00%00']) {
      const answer = await get(`/api/v1/jobs/${UNKNOWN}`, [['X-Request-Id', id]]);
      expect(expectProblem(answer, 404).request_id).not.toBe(id);
    }
    const two = [
      ['X-Request-Id', 'request-one'],
      ['X-Request-Id', 'request-two'],
    ] as const;
    expectProblem(await get(`/api/v1/jobs/${UNKNOWN}`, two), 404);
  });

  it('contradictory lengths are no request: 400', async () => {
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
      expectProblem(await raw(client, request), 400);
    }
  });
});

describe('bodies under way', () => {
  const body = '{"file_size": 1}';

  it('Expect: 100-continue is answered, and the request handled', async () => {
    const socket = open(client);
    try {
      const answer = readAnswer(socket);
      const went = new Promise<string>((resolve) =>
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      );
      socket.write(
        `POST /api/v1/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${client.apiKey}\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      expect(await went).toMatch(/^HTTP\/1.1 100 /);
      socket.write(body);
      expect((await answer).status).toBe(200);
    } finally {
      socket.destroy();
    }
  });

  it('another expectation is ignored', async () => {
    const headers = [JSON_TYPE, ['Expect', 'a-miracle'] as const];
    const answer = await raw(client, { method: 'POST', path: '/api/v1/upload', headers, body });
    expect(answer.status, answer.text).toBe(200);
  });

  it('a compressed JSON body: 422', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
      const headers = [JSON_TYPE, ['Content-Encoding', encoding] as const];
      expectProblem(
        await raw(client, { method: 'POST', path: '/api/v1/upload', headers, body: gzipSync(body) }),
        422,
      );
    }
  });

  it('a chunked body is taken like any other, and one of broken chunks is none: 400', async () => {
    const headers = [JSON_TYPE, ['Transfer-Encoding', 'chunked'] as const];
    const path = '/api/v1/upload';
    const whole = `${body.length.toString(16)};x=y\r\n${body}\r\n0\r\n\r\n`;
    expect((await raw(client, { method: 'POST', path, headers, body: whole })).status).toBe(200);
    expectProblem(await raw(client, { method: 'POST', path, headers, body: 'zz\r\n{}\r\n0\r\n\r\n' }), 400);
  });

  it('of a GET does no harm', async () => {
    const answer = await raw(client, { path: '/api/v1/jobs', headers: [JSON_TYPE], body: '{"limit": "x"' });
    expect([200, 422], answer.text).toContain(answer.status);
  });
});

describe('§4.12 POST /transcribe', () => {
  it.each([
    'AUDIO/WAV',
    'Audio/Mpeg; rate=16000',
    'audio/ogg;codecs="opus, vorbis"',
    ' video/mp4 ',
    'application/OCTET-STREAM;',
  ])('Content-Type %s is one of the list', async (type) => {
    const { response } = await oneShot(client, silent(1), '', { 'Content-Type': type });
    expect(response.statusCode).toBe(200);
    response.destroy();
  });

  it.each([
    'audio/wav, audio/mpeg',
    'audio',
    'audio/*',
    '*/*',
    ';',
    'audio/x-wav',
    'multipart/form-data; boundary=x',
  ])('Content-Type %s is not: 422', async (type) => {
    const sent = openOneShot(client, '', { 'Content-Type': type });
    const coming = refusal(sent);
    sent.end(silent(1));
    expectFields(await coming, 'Content-Type');
  });

  it('a compressed body is refused by its name: it would be no audio', async () => {
    const sent = openOneShot(client, '', { 'Content-Encoding': 'gzip' });
    const coming = refusal(sent);
    sent.end(gzipSync(silent(1)));
    expectFields(await coming, 'Content-Encoding');
    const { response } = await oneShot(client, silent(1), '', { 'Content-Encoding': 'identity' });
    expect(response.statusCode).toBe(200);
    response.destroy();
  });

  it.each([
    ['model=%00', 'model'],
    ['output_type=%ED%A0%80', 'output_type'],
    ['custom_vocabulary=a,%00', 'custom_vocabulary'],
    ['custom_vocabulary=a,b%07', 'custom_vocabulary'],
    ['callback_url=http://example.com/%00', 'callback_url'],
    ['tier=', 'tier'],
    ['word_timestamps=', 'word_timestamps'],
    [`custom_vocabulary=${'a,'.repeat(1_001)}`, 'custom_vocabulary'],
  ])('%#: ?%.30s names %s', async (query, field) => {
    const answer = await raw(client, {
      method: 'POST',
      path: `/api/v1/transcribe?${query}`,
      headers: [['Content-Type', 'audio/wav']],
      body: silent(1),
    });
    expectFields(answer, field);
  });

  it('a chunked body without an end, whose sender leaves or breaks off: nothing is left, not even a job', async () => {
    const caller = await service.client((await service.openAccount(10)).api_key);
    for (const [end, chunk] of [
      ['leaves', '8000\r\n'],
      ['breaks off', 'nonsense'],
    ]) {
      const socket = open(caller);
      socket.on('error', () => undefined);
      const over = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        `POST /api/v1/transcribe HTTP/1.1\r\nHost: x\r\nX-API-Key: ${caller.apiKey}\r\n` +
          `Content-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n8000\r\n`,
      );
      await new Promise((resolve) => socket.write(Buffer.alloc(0x8000), resolve));
      socket.write(`\r\n${chunk}`);
      if (end === 'leaves') socket.destroy();
      else socket.resume();
      await over;
    }
    await until('no request is under way', async () => {
      const { text } = await caller.send('GET', '/api/v1/jobs');
      return text.includes('"jobs":[]');
    });
  });
});
