import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from './support/raw-response.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { expectStrictPage } from './support/strict-page.js';

let service: RunningService;
let pages: Map<string, string>;

/** As a browser opens an address. */
function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  return fetch(`${service.baseUrl}${path}`, { redirect: 'manual', headers: { accept, ...headers } });
}

const findLinks = (html: string) =>
  [...html.matchAll(/<(?:a|link|script|img) [^>]*(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url);

/** Every page that is reachable by links from the first one. */
async function crawl(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const queue = ['/docs/guide'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    const response = await open(path);
    expect(response.status, path).toBe(200);
    const html = await response.text();
    found.set(path, html);
    for (const link of findLinks(html)) {
      const { pathname, origin } = new URL(link, service.baseUrl + path);
      const isPage = /^\/docs\/guide(?:\/|$)/.test(pathname) && !pathname.startsWith('/docs/guide/assets/');
      if (origin === service.baseUrl && isPage) queue.push(pathname);
    }
  }
  return found;
}

beforeAll(async () => {
  service = await useSharedService();
  pages = await crawl();
});

describe('the documentation site', () => {
  it('has all pages, and its links lead to pages, headings and files that exist', async () => {
    expect(pages.size).toBeGreaterThan(60);
    const others = new Map<string, number>();
    const problems: string[] = [];
    for (const [path, html] of pages)
      for (const link of findLinks(html)) {
        const { origin, pathname, hash } = new URL(link, service.baseUrl + path);
        if (origin !== service.baseUrl) continue;
        const target = pages.get(pathname);
        if (target === undefined && !others.has(pathname))
          others.set(pathname, (await open(pathname)).status);
        if (target === undefined && others.get(pathname) !== 200) problems.push(`${path}: ${link}`);
        if (hash !== '' && target?.includes(`id="${decodeURIComponent(hash.slice(1))}"`) !== true)
          problems.push(`${path}: ${link}`);
      }
    expect(problems).toEqual([]);
  });

  it('names each page in its title', () => {
    expect(pages.get('/docs/guide')).toContain('<title>zephyr guide</title>');
    expect(pages.get('/docs/guide/large-files')).toContain('<title>Large files · zephyr</title>');
  });

  it('runs and loads nothing inline and nothing from elsewhere', async () => {
    const response = await open('/docs/guide/quick-start/curl');
    expectStrictPage(response);
    for (const [path, html] of pages) {
      expect(html, path).not.toMatch(/<style|<[a-z][^>]* (?:style|on[a-z]+)=/);
      for (const [, attributes = '', code] of html.matchAll(/<script([^>]*)>([^<]*)</g))
        expect([attributes, code], path).toEqual([expect.stringContaining('assets/guide-'), '']);
    }
  });

  it('is asked again for changed pages, and answers 304 to a known ETag', async () => {
    const first = await open('/docs/guide/large-files');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('vary')).toContain('accept-encoding');
    const etag = first.headers.get('etag') ?? '';
    const again = await open('/docs/guide/large-files', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await open('/docs/guide/vocabularies', { 'if-none-match': etag })).status).toBe(200);
  });

  it('has assets that are stored for a year and are sent compressed', async () => {
    const html = pages.get('/docs/guide/large-files') ?? '';
    const assets = [...html.matchAll(/"((?:guide\/)?assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.map((path) => path.split('.').at(-1) ?? '').toSorted()).toEqual([
      'css',
      'js',
      'json',
      'json',
      'svg',
    ]);
    for (const path of assets) {
      const plain = await rawRequest(service.baseUrl, `/docs/guide/${path}`, {});
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const brotli = await rawRequest(service.baseUrl, `/docs/guide/${path}`, { 'accept-encoding': 'br' });
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(brotli.body.length).toBeLessThan(150_000);
    }
  });

  it.each(['/docs/guide/no-such-page', '/docs/guide/api/no/such/page?x=y'])(
    'answers %s with a page for browsers and a problem for programs, both 404',
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self';/,
      );
      const html = await response.text();
      expect(html).toContain('<h1>No such page</h1>');
      const base = /<base href="([^"]+)"/.exec(html)?.[1] ?? '';
      for (const link of findLinks(html).filter((url) => url.startsWith('assets/')))
        expect((await open(new URL(link, new URL(base, service.baseUrl)).pathname)).status, link).toBe(200);
      const problem = await fetch(`${service.baseUrl}${path}`);
      expect([problem.status, problem.headers.get('content-type')]).toEqual([
        404,
        expect.stringMatching(/^application\/problem\+json/),
      ]);
    },
  );

  it('redirects from a trailing slash, also behind a proxy that adds a path prefix', async () => {
    const response = await open('/docs/guide/');
    expect(response.status).toBe(302);
    const location = response.headers.get('location') ?? '';
    const target = (base: string) => new URL(location, `${base}/docs/guide/`).href;
    expect(target(service.baseUrl)).toBe(`${service.baseUrl}/docs/guide`);
    expect(target('https://speech.example/zephyr')).toBe('https://speech.example/zephyr/docs/guide');
  });

  it('serves no other files of its folder', async () => {
    for (const path of [
      'index.html',
      'large-files.html',
      'assets/none.js',
      '.built-from',
      'api.html.gz',
      '..%2fconsole',
    ])
      expect((await fetch(`${service.baseUrl}/docs/guide/${path}`)).status, path).toBe(404);
  });
});
