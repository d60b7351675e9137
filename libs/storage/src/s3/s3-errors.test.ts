import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../object-store.js';
import { StoreUnavailableError } from '../store-errors.js';
import { createS3ErrorResponse, startFakeS3Server } from '../testing/fake-s3-server.js';
import { withMappedS3Errors } from './s3-errors.js';

const KEY = 'jobs/1/audio';

const failWith = (error: Error) => async () => {
  throw error;
};

describe('errors of the store, its settings or its credentials', () => {
  it.each([
    [400, 'ExpiredToken'],
    [400, 'InvalidToken'],
    [400, 'TokenRefreshRequired'],
    [400, 'AuthorizationHeaderMalformed'],
    [400, 'RequestTimeout'],
    [301, 'PermanentRedirect'],
    [403, 'AccessDenied'],
    [503, 'SlowDown'],
  ])('%i %s is an unavailable store', async (status, code) => {
    await using server = await startFakeS3Server(() => createS3ErrorResponse(status, code));
    await expect(server.store.get('jobs/1/audio')).rejects.toThrow(StoreUnavailableError);
  });

  it.each([301, 400])('%i without a body, as for HEAD, is an unavailable store', async (status) => {
    await using server = await startFakeS3Server(() => ({ status }));
    await expect(server.store.head('jobs/1/audio')).rejects.toThrow(StoreUnavailableError);
    await expect(server.store.ping()).rejects.toThrow(StoreUnavailableError);
  });
});

it('an error of the request is no unavailable store', async () => {
  await using server = await startFakeS3Server(() => createS3ErrorResponse(400, 'InvalidArgument'));
  await expect(server.store.get('jobs/1/audio')).rejects.toMatchObject({ name: 'InvalidArgument' });
});

const CALLS: Record<string, (store: ObjectStore) => Promise<unknown>> = {
  head: (store) => store.head(KEY),
  get: (store) => store.get(KEY),
  fetchToFile: (store) => store.fetchToFile(KEY, join(tmpdir(), 'never-written')),
  put: (store) => store.put(KEY, Buffer.from('x'), 'text/plain'),
  putIfAbsent: (store) => store.putIfAbsent(KEY, Buffer.from('x'), 'text/plain'),
  list: async (store) => {
    for await (const _ of store.list('jobs/'));
  },
  delete: (store) => store.delete(KEY),
  deleteAll: (store) => store.deleteAll({ keys: [KEY], prefixes: [] }),
  createMultipart: (store) => store.createMultipart(KEY, 'audio/wav'),
  completeMultipart: (store) => store.completeMultipart(KEY, 'upload', [{ partNumber: 1, etag: 'e' }]),
  abortMultipart: (store) => store.abortMultipart(KEY, 'upload'),
  listUploads: async (store) => {
    for await (const _ of store.listUploads('jobs/'));
  },
  provision: (store) => store.provision(),
  ping: (store) => store.ping(),
};

/** @returns for each call the name of its error, or `none` */
async function nameErrors(store: ObjectStore, calls = CALLS): Promise<Record<string, string>> {
  const outcomes = Object.entries(calls).map(async ([name, call]) => [
    name,
    await call(store).then(
      () => 'none',
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    ),
  ]);
  return Object.fromEntries(await Promise.all(outcomes)) as Record<string, string>;
}

const allUnavailable = Object.fromEntries(
  Object.keys(CALLS).map((name) => [name, StoreUnavailableError.name]),
);

/** An unclosed element, as it has them in its own pages. */
const nginxPage = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n`;

const PAGES_OF_PROXIES: [proxy: string, status: number, type: string, body: string][] = [
  ['nginx', 429, 'text/html', nginxPage('429 Too Many Requests')],
  ['nginx', 502, 'text/html', nginxPage('502 Bad Gateway')],
  ['nginx', 503, 'text/html', nginxPage('503 Service Temporarily Unavailable')],
  ['nginx', 504, 'text/html', nginxPage('504 Gateway Time-out')],
  [
    'HAProxy',
    503,
    'text/html',
    '<html><body><h1>503 Service Unavailable</h1>\nNo server is available.\n</body></html>\n',
  ],
  [
    'Envoy',
    503,
    'text/plain',
    'upstream connect error or disconnect/reset before headers. reset reason: overflow',
  ],
  ['a gateway', 503, 'application/json', '{"error":"unavailable"}'],
  ['a gateway', 429, 'text/plain', 'slow down'],
  ['a gateway', 503, 'text/plain', ''],
];

describe('a proxy in front of the store', () => {
  it.each(PAGES_OF_PROXIES)(
    'a response of %s, %i as %s, makes the store unavailable for every call',
    async (_, status, type, body) => {
      await using server = await startFakeS3Server(() => ({
        status,
        headers: { 'content-type': type },
        body,
      }));
      expect(await nameErrors(server.store)).toEqual(allUnavailable);
    },
  );

  it.each([200, 400, 413])(
    'a page %i instead of the XML of S3 makes the store unavailable',
    async (status) => {
      await using server = await startFakeS3Server(() => ({
        status,
        headers: { 'content-type': 'text/html' },
        body: nginxPage('Please sign in'),
      }));
      const { list, deleteAll, createMultipart } = await nameErrors(server.store);
      expect([list, deleteAll, createMultipart]).toEqual(Array(3).fill(StoreUnavailableError.name));
    },
  );
});

/** Starts a store whose endpoint is the server. */
async function startStoreOf(server: Server, protocol: 'http' | 'https') {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started = await startFakeS3Server(() => ({ status: 500 }), { endpoint });
  return {
    store: started.store,
    [Symbol.asyncDispose]: async () => {
      await started[Symbol.asyncDispose]();
      server.close();
    },
  };
}

/** @returns undefined if openssl is not installed */
async function createSelfSignedCertificate(): Promise<{ key: Buffer; cert: Buffer } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 's3-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-subj', '/CN=s3.example', '-keyout', key, '-out', cert];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', ...curve, '-days', '1', ...files]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a store that cannot be reached', () => {
  it('is unavailable with a certificate that is not trusted', async ({ skip }) => {
    const identity = await createSelfSignedCertificate();
    if (!identity) return skip('openssl is not installed');
    await using started = await startStoreOf(
      createTlsServer(identity, (_, response) => void response.end()),
      'https',
    );
    expect(await nameErrors(started.store)).toEqual(allUnavailable);
  });

  it.each(['http', 'https'] as const)(
    'is unavailable if something else answers at its %s URL',
    async (protocol) => {
      const junk = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.end('no protocol of these\r\n\r\n');
      });
      await using started = await startStoreOf(junk, protocol);
      expect(await nameErrors(started.store)).toEqual(allUnavailable);
    },
  );

  it.each(['CERT_HAS_EXPIRED', 'EPROTO', 'EMFILE', 'EADDRNOTAVAIL', 'ECONNABORTED', 'ENETDOWN'])(
    'is unavailable after %s of a connection',
    async (code) => {
      const failed = failWith(Object.assign(new Error(code), { code }));
      await expect(withMappedS3Errors(failed)).rejects.toThrow(StoreUnavailableError);
    },
  );
});

describe('a download to a file', () => {
  const sendsHalf = () =>
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    });

  it('finds the store unavailable if it stops in the middle of the body', async () => {
    await using started = await startStoreOf(sendsHalf(), 'http');
    const path = join(tmpdir(), 'never-written');
    await expect(started.store.fetchToFile(KEY, path)).rejects.toThrow(StoreUnavailableError);
  });

  it('rethrows an error of the local disk', async () => {
    await using server = await startFakeS3Server(() => ({ status: 200, body: 'x' }));
    const path = join(tmpdir(), 'no-such-folder', 'a');
    await expect(server.store.fetchToFile(KEY, path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('an error that no response and no connection caused', () => {
  it.each([
    new TypeError('x is not a function'),
    Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }),
    Object.assign(new RangeError('out of range'), { code: 'ERR_OUT_OF_RANGE' }),
    new Error('without a code'),
    Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ABORT_ERR' }),
  ])('%s is rethrown', async (error) => {
    await expect(withMappedS3Errors(failWith(error))).rejects.toBe(error);
  });
});
