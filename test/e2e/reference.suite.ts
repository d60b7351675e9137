import { beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { Client, expected } from './support/client.js';
import type { Service } from './support/service.js';

let service: Service;
let anyone: Client;

export function describeReference(started: () => Service): void {
  beforeAll(async () => {
    service = started();
    anyone = new Client(service.baseUrl, null);
  });

  describe('the description of the interface', () => {
    it('§9 is served without a key, and is the committed one', async () => {
      const answer = await anyone.send('GET', '/api/v1/openapi.json');
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      const committed = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
      expect(expected(200, answer)).toEqual(JSON.parse(committed));
    });

    it('may be kept, and is not sent twice to those who have it', async () => {
      for (const path of ['/api/v1/openapi.json', '/docs', '/docs/style.css']) {
        const first = await anyone.send('GET', path);
        expect(first.status).toBe(200);
        expect(first.headers.get('cache-control')).toContain('max-age');
        const etag = first.headers.get('etag') ?? '';
        const again = await anyone.send('GET', path, { headers: { 'If-None-Match': etag } });
        expect([again.status, again.text]).toEqual([304, '']);
      }
    });

    it('/docs is one page that needs nothing but its own style sheet', async () => {
      const page = await anyone.send('GET', '/docs');
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
      const sheets = [...page.text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(
        ([, href]) => href,
      );
      expect(sheets).toEqual(['docs/style.css']);
      const style = await anyone.send('GET', '/docs/style.css');
      expect(style.headers.get('content-type')).toMatch(/^text\/css/);
      expect(style.text).not.toMatch(/url\(|@import/);
    });
  });
}
