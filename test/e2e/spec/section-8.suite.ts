import { describe, expect, it } from 'vitest';
import { Client, expectStatus } from '../support/client.js';
import { createMultipart } from '../support/multipart.js';
import { expectProblem } from '../support/problem.js';
import { sendHeadersOnly, ROUTES } from './routes.js';
import { UNKNOWN, type SpecContext } from './spec-context.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const STREAM_BYTES = 200_000_000;

export function describeSection8(getContext: () => SpecContext): void {
  describe('§8 sizes validated at creation', () => {
    it('a single upload is accepted up to 5 GiB exactly', async () => {
      const { client } = getContext();
      expectStatus(200, await client.post('/upload', { file_size: 5 * GIB }));
      expectProblem(await client.post('/upload', { file_size: 5 * GIB + 1 }), 413, 'file_too_large');
    });

    it('a multipart upload is accepted up to 10 GiB exactly', async () => {
      const { client } = getContext();
      const { num_parts, part_size } = await createMultipart(client, { file_size: 10 * GIB });
      expect(num_parts * part_size).toBeGreaterThanOrEqual(10 * GIB);
      expect(num_parts).toBeLessThanOrEqual(10_000);
      const rejected = await client.post('/upload/multipart/create', { file_size: 10 * GIB + 1 });
      expectProblem(rejected, 413, 'file_too_large');
    });

    it('6 GB are rejected as a single upload and planned exactly as a multipart upload', async () => {
      const { client } = getContext();
      const file_size = 6_000_000_000;
      expectProblem(await client.post('/upload', { file_size }), 413, 'file_too_large');
      const { num_parts, part_size, parts } = await createMultipart(client, { file_size });
      expect([part_size, num_parts]).toEqual([16 * MIB, 358]);
      const last = file_size - part_size * (num_parts - 1);
      expect(last).toBeGreaterThan(0);
      expect(last).toBeLessThanOrEqual(part_size);
      expect(parts.map(({ part_number }) => part_number)).toEqual(Array.from(parts, (_, index) => index + 1));
      expect(new Set(parts.map(({ url }) => new URL(url).href)).size).toBe(num_parts);
    });

    it('POST /transcribe refuses a byte more than 200 MB', async () => {
      const { client } = getContext();
      expectProblem(await sendHeadersOnly(client, STREAM_BYTES + 1), 413, 'file_too_large');
    });
  });

  describe('§8 requests per minute', () => {
    it.each(ROUTES.map((route) => [route.name, route.perMinute, route] as const))(
      '%s accepts %i requests per minute',
      async (_, perMinute, { call }) => {
        const sendAndReadLimits = async () => {
          const { headers } = await call(getContext().unused[0]);
          const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
            Number(headers.get(`ratelimit-${name}`) ?? 'NaN'),
          );
          expect(reset).toBeGreaterThan(0);
          expect(reset).toBeLessThanOrEqual(60);
          return [limit, remaining];
        };
        expect([await sendAndReadLimits(), await sendAndReadLimits()]).toEqual([
          [perMinute, perMinute - 1],
          [perMinute, perMinute - 2],
        ]);
      },
    );

    it('a request over the limit answers 429 whatever it asks, and other keys and endpoints are unaffected', async () => {
      const { unused, otherClient } = getContext();
      const cancel = (client: Client) => client.post('/jobs/cancel', { job_id: UNKNOWN });
      const { headers } = await cancel(unused[0]);
      const remaining = Number(headers.get('ratelimit-remaining') ?? 'NaN');
      expect(remaining).toBeGreaterThan(0);
      const requests = Array.from({ length: remaining + 2 }, () => cancel(unused[0]));
      const responses = await Promise.all(requests);
      expect(responses.filter(({ status }) => status === 404)).toHaveLength(remaining);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
      expect((await cancel(otherClient)).status).toBe(404);
      expect((await unused[0].send('GET', '/api/v1/jobs')).status).toBe(200);
    });
  });

  describe('§9 versions', () => {
    it('every route is below /api/v1 and nowhere else', async () => {
      const { client } = getContext();
      const document = await client.send('GET', '/api/v1/openapi.json');
      const { paths } = expectStatus<{ paths: Record<string, object> }>(200, document);
      const routes = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
      );
      // Besides those for clients of OpenAI and for load balancers.
      const versioned = routes.filter(({ path }) => !/^\/(v1|health)\//.test(path));
      expect(versioned.length).toBeGreaterThanOrEqual(ROUTES.length);
      for (const { method, path } of versioned) {
        expect(path).toMatch(/^\/api\/v1\//);
        const withoutPrefix = path.slice('/api/v1'.length).replaceAll(/\{\w+\}/g, UNKNOWN);
        for (const prefix of ['', '/v1', '/api', '/api/v2'])
          expect((await client.send(method, prefix + withoutPrefix)).status, prefix + path).toBe(404);
      }
    });
  });
}
