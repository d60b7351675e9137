import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, expectStatus } from './support/client.js';
import { expectProblem } from './support/problem.js';
import { sendRaw } from './support/raw-http.js';
import type { Service } from './support/service.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: Service;
let client: Client;
let jobId: string;

const get = (path: string, headers: readonly (readonly [string, string])[] = []) =>
  sendRaw(client, { path, headers });

/** Streams that the pool serves. */
async function countServedStreams(): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(/^zephyr_streams\{state="served".*\} (\d+)$/m.exec(text)?.[1]);
}

export function describeAwkwardRequests(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
    jobId = (await client.create({ file_size: 1 })).job_id;
  });

  describe('unusual paths', () => {
    it('a percent-encoded or upper-case job id addresses the same job', async () => {
      const encoded = [...jobId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      for (const id of [encoded, jobId.toUpperCase(), jobId.replace('-', '%2D')])
        expect(expectStatus(200, await get(`/api/v1/jobs/${id}`))).toMatchObject({ status: 'processing' });
    });

    it('the stream of an upper-case job id sends later events and ends', async () => {
      const { job_id } = await client.create({ file_size: 1 });
      const before = await countServedStreams();
      const eventsByUppercaseId = client.events(job_id.toUpperCase(), {
        signal: AbortSignal.timeout(20_000),
      });
      await expect.poll(countServedStreams).toBe(before + 1);
      expectStatus(200, await client.post('/jobs/cancel', { job_id: job_id.toUpperCase() }));
      expect((await eventsByUppercaseId).map(({ name }) => name)).toEqual(['failed']);
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
    ])('the path %s answers 404', async (path) => {
      expectProblem(await get(path.replace('{id}', jobId)), 404);
    });

    it('unusual request targets disclose no internals', async () => {
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

    it('a very long path answers 404', async () => {
      expectProblem(await get(`/api/v1/jobs/${'a'.repeat(10_000)}`), 404);
      expectProblem(await get(`/api/v1/${'a/'.repeat(4_000)}`), 404);
    });
  });

  describe('§4.7 unusual queries', () => {
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
    ])('the query %s answers 400 or a page', async (query) => {
      const response = await get(`/api/v1/jobs?${query}`);
      if (response.status === 200) expect(JSON.parse(response.text)).toHaveProperty('jobs');
      else expectProblem(response, 400, 'invalid_parameter');
    });

    it('a query string without names is ignored, and an unknown or empty name answers 400', async () => {
      const requestEach = async (queries: string[]) =>
        Promise.all(queries.map(async (query) => [query, (await get(`/api/v1/jobs?${query}`)).status]));
      const nameless = ['', '&&&'];
      expect(await requestEach(nameless)).toEqual(nameless.map((query) => [query, 200]));
      const unknown = ['=', '%', '%zz=1', '__proto__=1', '__proto__[limit]=0', 'a'.repeat(8_000)];
      expect(await requestEach(unknown)).toEqual(unknown.map((query) => [query, 400]));
    });
  });

  describe('unusual methods', () => {
    const PATHS = [
      '/api/v1/upload',
      '/api/v1/jobs',
      `/api/v1/jobs/${UNKNOWN}`,
      '/api/v1/transcribe',
      '/api/v1/jobs/cancel',
    ];

    it.each(['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'REPORT'])('the method %s answers 405', async (method) => {
      for (const path of PATHS)
        expectProblem(await sendRaw(client, { method, path }), 405, 'method_not_allowed');
      expectProblem(await sendRaw(client, { method, path: '/nothing' }), 404, 'not_found');
    });

    it.each(['FOO', 'get', 'GETGET', ''])('the invalid method %j answers 400', async (method) => {
      expectProblem(await sendRaw(client, { method, path: '/api/v1/jobs' }), 400);
    });

    it('HEAD answers like GET without a body and opens no stream', async () => {
      for (const path of [
        '/api/v1/jobs',
        `/api/v1/jobs/${jobId}`,
        `/api/v1/jobs/${UNKNOWN}`,
        '/api/v1/upload',
      ]) {
        const head = await sendRaw(client, { method: 'HEAD', path }).catch((error: unknown) => error);
        expect(head, path).toMatchObject({ text: '' });
        expect([200, 404, 405]).toContain((head as { status: number }).status);
      }
      const stream = await sendRaw(client, { method: 'HEAD', path: `/api/v1/jobs/${jobId}/stream` });
      expect([200, 404]).toContain(stream.status);
      expect(stream.text).toBe('');
      expect(await countServedStreams()).toBe(0);
    });
  });
}
