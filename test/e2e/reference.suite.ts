import { beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { Client, expectStatus } from './support/client.js';
import type { Service } from './support/service.js';

let service: Service;
let anyone: Client;

export function describeReference(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    anyone = new Client(service.baseUrl, null);
  });

  describe('the OpenAPI document and the reference page', () => {
    it('§9 the OpenAPI document is served without a key and equals the committed one', async () => {
      const response = await anyone.send('GET', '/api/v1/openapi.json');
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const committed = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
      expect(expectStatus(200, response)).toEqual(JSON.parse(committed));
    });

    it('both are cacheable and answer 304 to a known ETag', async () => {
      const paths = ['/api/v1/openapi.json', '/docs/openapi.json', '/docs/load-scalar.js', '/docs/scalar.js'];
      for (const path of paths) {
        const first = await anyone.send('GET', path);
        expect(first.status).toBe(200);
        expect(first.headers.get('cache-control')).toContain('max-age');
        const etag = first.headers.get('etag') ?? '';
        const conditionalResponse = await anyone.send('GET', path, { headers: { 'If-None-Match': etag } });
        expect([conditionalResponse.status, conditionalResponse.text]).toEqual([304, '']);
      }
    });

    it('/docs loads and runs only its own scripts', async () => {
      const page = await anyone.send('GET', '/docs');
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.headers.get('cache-control')).toBe('no-store');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const nonce = /csp-nonce" content="([^"]+)"/.exec(page.text)?.[1] ?? '';
      expect(policy).toContain(`style-src 'nonce-${nonce}'`);
      expect((await anyone.send('GET', '/docs')).text).not.toContain(nonce);
      const scripts = [...page.text.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src);
      expect(scripts).toEqual(['docs/load-scalar.js', 'docs/scalar.js']);
    });

    it('/docs/scalar.js serves the bundle, compressed for clients that accept it', async () => {
      const bodies = await Promise.all(
        ['gzip', 'identity'].map(async (encoding) => {
          const headers = { 'Accept-Encoding': encoding };
          const response = await anyone.send('GET', '/docs/scalar.js', { headers });
          expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
          expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
          expect(response.headers.get('vary')).toBe('accept-encoding');
          return response.text;
        }),
      );
      expect(bodies[0]).toContain('createApiReference');
      expect(bodies[1]).toBe(bodies[0]);
    });
  });
}
