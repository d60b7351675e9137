import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkBucketVersions } from './object-store-checks.js';

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
