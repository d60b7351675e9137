import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from './support/raw-response.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { expectStrictPage } from './support/strict-page.js';

let service: RunningService;
let scriptPath: string;

beforeAll(async () => {
  service = await useSharedService();
  const page = await (await open('/console')).text();
  scriptPath = `/console/${/src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''}`;
});

/** As a browser opens an address. */
function open(path: string, init: { method?: string } = {}): Promise<Response> {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  return fetch(`${service.baseUrl}${path}`, {
    redirect: 'manual',
    ...init,
    headers,
  });
}

describe('the start page', () => {
  it('leads browsers to the console, also behind a proxy that adds a path prefix', async () => {
    const response = await open('/');
    expect(response.status).toBe(302);
    expect(response.headers.get('vary')).toContain('accept');
    const location = response.headers.get('location') ?? '';
    expect(new URL(location, `${service.baseUrl}/`).href).toBe(`${service.baseUrl}/console`);
    expect(new URL(location, 'https://speech.example/zephyr/').href).toBe(
      'https://speech.example/zephyr/console',
    );
  });

  it('gives programs an index, whose links all work', async () => {
    const response = await fetch(`${service.baseUrl}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const index = (await response.json()) as Record<string, string>;
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(index).toMatchObject({ name: 'zephyr', version, api: 'api/v1', console: 'console' });
    for (const name of ['openapi', 'guide', 'reference', 'console', 'client', 'command_line'])
      expect((await open(`/${index[name]}`)).status, name).toBe(200);
  });
});

describe('the pages of the console', () => {
  it.each(['/console', '/console/', '/console/members', '/console/jobs/1?x=y', '/console/no-such-page'])(
    '%s is the page, which is not stored',
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<div id="root"></div>');
    },
  );

  it.each(['/console', '/console/'])('%s is the page for every client', async (path) => {
    const response = await fetch(`${service.baseUrl}${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<div id="root"></div>');
  });

  it('send a browser that opens another name of loopback to that of the public URL, where sign-in works', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    expect(hostname).toBe('127.0.0.1');
    const openAt = (host: string) =>
      rawRequest(service.baseUrl, '/console/jobs?status=failed', { host, accept: 'text/html' });
    const { status, headers } = await openAt(`localhost:${port}`);
    expect([status, headers.location]).toEqual([302, `${service.baseUrl}/console/jobs?status=failed`]);
    expect((await openAt(`speech.example:${port}`)).status).toBe(200);
  });

  it('run scripts of this service only and cannot be framed', async () => {
    const response = await open('/console/members');
    expectStrictPage(response);
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const html = await response.text();
    expect(html).not.toMatch(/<style|style=| on\w+=|https?:\/\//);
    for (const [, attributes, code] of html.matchAll(/<script([^>]*)>([^<]*)</g))
      expect([attributes, code]).toEqual([expect.stringContaining('src="./assets/'), '']);
  });

  it('hide no 404 and no 405 of the routes below /console/api', async () => {
    const unknown = await open('/console/api/no-such-route');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^application\/problem\+json/),
    ]);
    const method = await open('/console/api/sign-in');
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect((await open('/console/api/session')).status).toBe(401);
  });

  it('are not for programs, and no file beside the built ones is reachable', async () => {
    expect((await fetch(`${service.baseUrl}/console/members`)).status).toBe(404);
    for (const path of [
      '/console/assets/none.js',
      '/console/assets/..%2findex.html',
      '/console/index.html.gz',
    ])
      expect((await fetch(`${service.baseUrl}${path}`)).status, path).toBe(404);
  });

  it('have scripts that are stored for a year and are sent compressed', async () => {
    const plain = await rawRequest(service.baseUrl, scriptPath, {});
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzip = await rawRequest(service.baseUrl, scriptPath, { 'accept-encoding': 'gzip' });
    const brotli = await rawRequest(service.baseUrl, scriptPath, { 'accept-encoding': 'gzip, deflate, br' });
    expect([gzip.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual(['gzip', 'br']);
    expect(gzip.headers.vary).toBe('accept-encoding');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gzip.body.length).toBeLessThan(200_000);
  });
});
