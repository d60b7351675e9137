import { beforeAll, describe, expect, it } from 'vitest';
import { type Client } from './support/client.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { sendRaw } from './support/raw-http.js';
import type { Service } from './support/service.js';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

let service: Service;
let client: Client;

/** Every route with a body, and the first field that its error names. */
const ROUTES = [
  ['/upload', 'file_size'],
  ['/upload/progress', 'job_id'],
  ['/upload/complete', 'job_id'],
  ['/upload/multipart/create', 'file_size'],
  ['/upload/multipart/complete', 'parts'],
  ['/upload/multipart/abort', 'job_id'],
  ['/jobs/cancel', 'job_id'],
  ['/jobs/check-failed', 'job_ids'],
] as const;

const send = (route: string, body: string | Uint8Array, type: readonly [string, string] = JSON_TYPE) =>
  sendRaw(client, { method: 'POST', path: `/api/v1${route}`, headers: [type], body });

const listErrorFields = (text: string) =>
  (JSON.parse(text) as { errors: { field: string }[] }).errors.map(({ field }) => field);

export function describeAwkwardBodies(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe('§7 a body that is not a JSON object', () => {
    const BODIES: [string, string | Uint8Array][] = [
      ['empty', ''],
      ['a blank', ' '],
      ['an incomplete object', '{"job_id":'],
      ['a trailing comma', '{"file_size": 1,}'],
      ['single quotes', `{'file_size': 1}`],
      ['a hexadecimal number', '{"file_size": 0x10}'],
      ['NaN', '{"file_size": NaN}'],
      ['two objects', '{}{}'],
      ['a NUL', '\0'],
      ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 0x2c)],
      ['unclosed brackets', '['.repeat(100_000)],
      ['an object with __proto__', '{"__proto__": {"file_size": 1}}'],
      ['an object with constructor.prototype', '{"constructor": {"prototype": {"file_size": 1}}}'],
      ['null', 'null'],
      ['true', 'true'],
      ['a number', '5'],
      ['a text', '"file_size"'],
      ['an array', '[]'],
      ['an array of valid objects', '[{"file_size": 1}]'],
    ];

    it.each(BODIES)('a body that is %s answers 422 on every route', async (_, body) => {
      for (const [route] of ROUTES) {
        const response = await send(route, body);
        expectProblem(response, 422, 'validation_failed');
        expect(listErrorFields(response.text).length, `${route} ${response.text}`).toBeGreaterThan(0);
      }
    });

    it.each(ROUTES)('%s rejects a Content-Type other than JSON, or none, with 422', async (route) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/xml',
      ])
        expectInvalidFields(await send(route, '{"file_size": 1}', ['Content-Type', type]), 'Content-Type');
      const untyped = await sendRaw(client, {
        method: 'POST',
        path: `/api/v1${route}`,
        body: '{"file_size": 1}',
      });
      expectProblem(untyped, 422);
      expectProblem(await send(route, '{"file_size": 1}', ['Content-Type', '\u00e9;;=']), 422);
    });

    it.each(ROUTES)('%s with an empty object answers 422 naming %s', async (route, field) => {
      const response = await send(route, '{}');
      expectProblem(response, 422);
      expect(listErrorFields(response.text)).toContain(field);
    });

    it('a body with a byte order mark or a charset parameter is accepted', async () => {
      const response = await send('/upload', '{"file_size": 1}', [
        'Content-Type',
        'APPLICATION/JSON; Charset="UTF-8"',
      ]);
      expect(response.status, response.text).toBe(200);
      const marked = await send('/upload', '\ufeff{"file_size": 1}');
      expect([200, 422]).toContain(marked.status);
    });
  });

  describe('§4.1, §4.4 numbers in a body', () => {
    it.each(['1e400', '-1e400', '1.5', '"5"', '-1', '0', '-0', '1e-9', '[5]', '{}', 'true', '""'])(
      'file_size %s answers 422 and names the field',
      async (size) => {
        for (const route of ['/upload', '/upload/multipart/create'])
          expectInvalidFields(await send(route, `{"file_size": ${size}}`), 'file_size');
      },
    );

    it('a file_size that no integer holds exactly answers 413', async () => {
      for (const route of ['/upload', '/upload/multipart/create'])
        expectProblem(await send(route, '{"file_size": 9223372036854775808}'), 413, 'file_too_large');
    });

    it.each(['1e400', '1.5', '"5242880"', '[]', '{}', 'false'])(
      'part_size %s answers 422 and names the field',
      async (size) => {
        const response = await send('/upload/multipart/create', `{"file_size": 1, "part_size": ${size}}`);
        expectInvalidFields(response, 'part_size');
      },
    );

    it.each(['9223372036854775808', '-9223372036854775808', '0', '1e300'])(
      'part_size %s is accepted as a whole number and clamped',
      async (size) => {
        const response = await send('/upload/multipart/create', `{"file_size": 1, "part_size": ${size}}`);
        expect(response.status, response.text).toBe(200);
      },
    );

    it.each(['0', '-1', '1.5', '1e400', '"1"', '10001', '9223372036854775808', 'null', '[1]'])(
      'part_number %s answers 422 and names the field',
      async (number) => {
        const parts = `[{"part_number": ${number}, "etag": "x"}]`;
        const job = '0193a5c0-0000-7000-8000-000000000000';
        expectInvalidFields(
          await send('/upload/multipart/complete', `{"job_id": "${job}", "parts": ${parts}}`),
          'parts.0.part_number',
        );
      },
    );

    it('the last of two JSON fields with one name wins', async () => {
      expectInvalidFields(await send('/upload', '{"file_size": 1, "file_size": "x"}'), 'file_size');
      expect((await send('/upload', '{"file_size": "x", "file_size": 1}')).status).toBe(200);
    });
  });

  describe('§2 strings that cannot be stored', () => {
    const TEXTS = [
      String.raw`\u0000`,
      String.raw`a\u0000b`,
      String.raw`\ud800`,
      String.raw`\udfff\ud800`,
      String.raw`\u0007`,
    ];
    const FIELDS = ['model', 'output_type', 'tier', 'custom_vocabulary', 'callback_url'];

    it.each(TEXTS)('%s in any option answers 422 and names the option', async (text) => {
      for (const field of FIELDS) {
        const value = field === 'custom_vocabulary' ? `["fine", "${text}"]` : `"http://example.com/${text}"`;
        for (const route of ['/upload', '/upload/multipart/create'])
          expectInvalidFields(await send(route, `{"file_size": 1, "${field}": ${value}}`), field);
      }
      expectInvalidFields(await send('/upload', `{"audio_url": "http://example.com/${text}"}`), 'audio_url');
    });

    it.each(TEXTS)('%s in any id or etag answers 422 and names the field', async (text) => {
      const id = '0193a5c0-0000-7000-8000-000000000000';
      for (const [route, field] of ROUTES)
        if (field === 'job_id')
          expectInvalidFields(await send(route, `{"job_id": "${id}${text}"}`), 'job_id');
      expectInvalidFields(await send('/jobs/check-failed', `{"job_ids": ["${id}", "${text}"]}`), 'job_ids.1');
      const parts = `[{"part_number": 1, "etag": "${text}"}]`;
      expectInvalidFields(
        await send('/upload/multipart/complete', `{"job_id": "${id}", "parts": ${parts}}`),
        'parts.0.etag',
      );
    });

    it('such characters in the name of an unknown field are ignored', async () => {
      expect((await send('/upload', String.raw`{"file_size": 1, "\u0000\ud800": "\u0000"}`)).status).toBe(
        200,
      );
    });
  });

  describe('oversized lists in a body', () => {
    it('custom_vocabulary rejects an oversized term and too many terms, and accepts the maximum', async () => {
      const create = (custom_vocabulary: unknown) =>
        client.post('/upload', { file_size: 1, custom_vocabulary });
      expectInvalidFields(await create(['x'.repeat(1_000_000)]), 'custom_vocabulary');
      expectInvalidFields(
        await create(Array.from({ length: 100_000 }, () => 'x'.repeat(7))),
        'custom_vocabulary',
      );
      expectInvalidFields(await create(Array.from({ length: 1_001 }, () => 'x')), 'custom_vocabulary');
      expectInvalidFields(await create(['x', '']), 'custom_vocabulary');
      expectInvalidFields(await create([['x']]), 'custom_vocabulary');
      expectInvalidFields(await create('x'), 'custom_vocabulary');
      expect(
        (await create(Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(100, '\u4e2d')))).status,
      ).toBe(200);
      expect((await create([])).status).toBe(200);
      expect((await create(null)).status).toBe(200);
    });

    it('a completion with 10,001 parts answers 422 and names the list', async () => {
      const parts = Array.from({ length: 10_001 }, (_, index) => ({
        part_number: index + 1,
        etag: 'x'.repeat(66),
      }));
      const job_id = '0193a5c0-0000-7000-8000-000000000000';
      expectInvalidFields(await client.post('/upload/multipart/complete', { job_id, parts }), 'parts');
      expectProblem(
        await client.post('/upload/multipart/complete', {
          job_id,
          parts: parts.slice(1).map((part, index) => ({ ...part, part_number: index + 1 })),
        }),
        404,
      );
    });
  });
}
