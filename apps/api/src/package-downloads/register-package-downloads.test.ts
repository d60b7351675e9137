import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerPackageDownloads } from './register-package-downloads.js';

let folder: string;
let fastify: FastifyInstance;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'));
  fastify = Fastify();
});
afterEach(async () => {
  await fastify.close();
  await rm(folder, { recursive: true });
});

const pack = (name: string, content: string) => writeFile(join(folder, name), content);
const register = () => registerPackageDownloads(fastify, pathToFileURL(`${folder}/`));

describe('the downloads of packages', () => {
  it.each(['/packages/zephyr-client.tgz', '/packages/zephyr-client-0.2.0.tgz'])(
    'has the packed client at %s',
    async (url) => {
      await pack('zephyr-client-0.2.0.tgz', 'client');
      await pack('zephyr-cli-0.2.0.tgz', 'command line');
      expect(await register()).toBe(true);
      const response = await fastify.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
      expect(response).toMatchObject({ statusCode: 200, body: 'client' });
      expect(response.headers).toMatchObject({
        'content-type': 'application/gzip',
        'cache-control': 'no-cache',
        'content-length': '6',
      });
      // npm unpacks the file itself.
      expect(response.headers['content-encoding']).toBeUndefined();
      const { etag } = response.headers;
      const again = await fastify.inject({ url, headers: { 'if-none-match': String(etag) } });
      expect(again.statusCode).toBe(304);
    },
  );

  it('has no other file of the folder', async () => {
    await pack('zephyr-client-0.2.0.tgz', 'client');
    await pack('notes.tgz', 'private');
    expect(await register()).toBe(false);
    for (const name of ['notes.tgz', 'zephyr-cli.tgz', '..%2fnotes.tgz', ''])
      expect((await fastify.inject({ url: `/packages/${name}` })).statusCode).toBe(404);
  });

  it('has nothing before the packages are built', async () => {
    expect(await registerPackageDownloads(fastify, pathToFileURL(`${folder}/missing/`))).toBe(false);
  });
});
