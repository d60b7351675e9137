import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AdminServices } from '../lazy-admin-services.js';
import { checkBucketVersions, checkObjectStore } from './object-store-checks.js';

let server: Server;
let answer: { status: number; body: string };
beforeEach(async () => {
  server = createServer((request, response) => {
    const isVersioning = request.url?.includes('versioning') === true;
    response.writeHead(isVersioning ? answer.status : 404).end(isVersioning ? answer.body : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const check = (body: string, status = 200) => {
  answer = { status, body };
  return checkBucketVersions({
    ...{ bucket: 'audio', region: 'eu-west-1', forcePathStyle: true, maxAttempts: 1 },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
};

it('doctor warns of a bucket that keeps the versions of deleted objects, and accepts one that does not tell', async () => {
  const versioning = (status: string) =>
    `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  expect(await check(versioning('Enabled'))).toMatchObject({ status: 'warning' });
  expect(await check(versioning('Suspended'))).toMatchObject({ status: 'ok' });
  expect(await check('', 403)).toMatchObject({ status: 'ok' });
});

it('doctor names the user by its number where it has no name, if the file store cannot be written', async () => {
  const folder = await mkdtemp(join(os.tmpdir(), 'object-store-'));
  const userInfo = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  syncBuiltinESMExports();
  try {
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');
    const bootContext = { config: loadConfig({ DATA_DIR: dataDir }), deriveKeys: () => [Buffer.alloc(32)] };
    expect(await checkObjectStore({ bootContext } as unknown as AdminServices)).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining(`Check that ${process.getuid?.()} can write to ${dataDir}/objects`),
    });
  } finally {
    userInfo.mockRestore();
    syncBuiltinESMExports();
    await rm(folder, { recursive: true, force: true });
  }
});
