import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';
import { OutboundClient, OutboundGuard } from '@app/outbound';
import { describe, expect, it } from 'vitest';
import { close, listen } from './outbound.receiver.js';

const run = promisify(execFile);

/** A self-signed certificate; undefined if openssl is not installed. */
async function createCertificate(): Promise<{ key: Buffer; cert: Buffer } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'outbound-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const make = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
  ];
  try {
    await run('openssl', [...make, '-subj', '/CN=hooks.example', '-keyout', key, '-out', cert]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const identity = await createCertificate();
if (!identity) console.warn('Skipped outbound TLS: openssl is not installed.');

describe.skipIf(!identity)('an outbound request over TLS', () => {
  it('the request sends the name as SNI, connects to the checked address and rejects an untrusted certificate', async () => {
    const resolvedNames: string[] = [];
    let requests = 0;
    const context = createSecureContext(identity);
    const server = createServer(
      {
        ...identity,
        SNICallback: (name, done) => {
          resolvedNames.push(name);
          done(null, context);
        },
      },
      (_, response) => {
        requests += 1;
        response.end();
      },
    );
    const port = await listen(server);
    const guard = new OutboundGuard({ allow: ['127.0.0.1'], resolver: async () => ['127.0.0.1'] });
    const client = new OutboundClient(guard);
    try {
      const sent = client.request({
        url: `https://hooks.example:${port}/`,
        method: 'POST',
        headers: {},
        timeoutMs: 5_000,
        maxResponseBytes: 10,
      });
      await expect(sent).rejects.toMatchObject({
        kind: 'connection',
        message: 'no secure connection came about',
      });
      expect({ resolvedNames, requests }).toEqual({ resolvedNames: ['hooks.example'], requests: 0 });
    } finally {
      await client.close();
      await close(server);
    }
  });
});
