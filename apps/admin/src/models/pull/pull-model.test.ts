import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogueModel, findModel, listInstalledModels } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Mirror } from '../testing/mirror.js';
import { lines } from './progress.js';
import { PullFailed, Unreachable } from './pull-failed.js';
import { pullModel, type PullOptions } from './pull-model.js';
import { fromFolder, fromNetwork, mirrored } from './sources.js';

const never = new AbortController().signal;

const ENCODER = Buffer.from('encoder'.repeat(20_000));
const TOKENS = Buffer.from('a 0\nb 1\n');

let mirror: Mirror;
let folder: string;
let shown: string[];
beforeEach(async () => {
  mirror = await Mirror.start();
  mirror.files.set('/maker/encoder.onnx', ENCODER).set('/maker/tokens.txt', TOKENS);
  folder = join(await mkdtemp(join(tmpdir(), 'zephyr-pull-')), 'models');
  shown = [];
});
afterEach(async () => {
  await mirror.stop().catch(() => undefined);
  await rm(join(folder, '..'), { recursive: true });
});

function file(role: string, path: string, content: Buffer) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { role, path, bytes: content.length, sha256, url: `https://files.example/maker/${path}` };
}

const MODEL: CatalogueModel = {
  name: 'tiny',
  kind: 'recognizer',
  family: 'whisper',
  languages: 'any',
  licence: 'MIT',
  settings: { task: 'transcribe' },
  about: 'for tests',
  files: [file('encoder', 'encoder.onnx', ENCODER), file('tokens', 'tokens.txt', TOKENS)],
};

function pull(options: Partial<PullOptions> = {}): Promise<boolean> {
  const bring = fromNetwork(
    mirror.url,
    lines((line) => shown.push(line)),
    1,
  );
  return pullModel(MODEL, { folder, bring, signal: never, tell: (line) => shown.push(line), ...options });
}

async function expectInstalled(): Promise<void> {
  const { files, settings } = await findModel(folder, 'tiny');
  expect(settings).toEqual({ task: 'transcribe' });
  expect(ENCODER.equals(await readFile(files['encoder'] ?? ''))).toBe(true);
  expect((await readdir(folder)).toSorted()).toEqual(['tiny']);
  expect((await readdir(join(folder, 'tiny'))).toSorted()).toEqual([
    'encoder.onnx',
    'model.json',
    'tokens.txt',
  ]);
}

/** So much of the encoder has been written down. */
const come = (bytes: number) => () =>
  expect
    .poll(() =>
      stat(join(folder, '.tiny.pull', 'encoder.onnx.part')).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    .toBe(bytes);

const ranges = () => mirror.asked.filter(({ path }) => path.endsWith('.onnx')).map(({ range }) => range);

describe('pulling a model', () => {
  it('clears away what a removal of the model left that was cut', async () => {
    const cut = '.tiny.removed.0d3e6a5c-1f7b-4c67-9d57-2f1de0a94d10';
    await mkdir(join(folder, cut), { recursive: true });
    await pull();
    expect(await readdir(folder)).toEqual(['tiny']);
  });

  it('fetches every file, shows how far it is, and does it once', async () => {
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(shown).toEqual(
      expect.arrayContaining(['encoder.onnx: 0 % of 140 kB', 'encoder.onnx: 100 % of 140 kB']),
    );
    expect(await pull()).toBe(false);
    expect(mirror.asked).toHaveLength(2);
  });

  it('goes on where the connection was cut', async () => {
    mirror.next(mirror.cutAfter(50_000, come(50_000)), mirror.cutAfter(30_000, come(80_000)));
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(ranges()).toEqual([null, 'bytes=50000-', 'bytes=80000-']);
  });

  it('goes on where an earlier pull ended, which never looked installed', async () => {
    const controller = new AbortController();
    mirror.next((request, response) => {
      mirror.cutAfter(60_000, come(60_000))(request, response);
      response.once('close', () => controller.abort(new Error('interrupted')));
    });
    const pending = pull({
      signal: controller.signal,
      bring: fromNetwork(
        mirror.url,
        lines(() => {}),
        60_000,
      ),
    });
    await expect(pending).rejects.toThrow('interrupted');
    expect(await listInstalledModels(folder)).toEqual([]);
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(ranges()).toEqual([null, 'bytes=60000-']);
  });

  it('begins anew where the server knows no parts', async () => {
    mirror.knowsParts = false;
    mirror.next(mirror.cutAfter(50_000, come(50_000)));
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(mirror.asked.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each([
    ['that is told by its validator', () => {}],
    ['that nothing tells', (from: Mirror) => void (from.knowsParts = false)],
  ])('begins anew when the file was changed meanwhile, %s', async (_, arrange) => {
    const other = Buffer.from('another'.repeat(20_000));
    arrange(mirror);
    mirror.files.set('/maker/encoder.onnx', other);
    mirror.next(mirror.cutAfter(50_000, come(50_000)), (request, response) => {
      mirror.files.set('/maker/encoder.onnx', ENCODER);
      mirror.knowsParts = true;
      response.writeHead(503).end(request.url);
    });
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('installs nothing of other bytes, and keeps nothing of them', async () => {
    mirror.files.set('/maker/encoder.onnx', Buffer.alloc(ENCODER.length));
    await expect(pull()).rejects.toThrow(/encoder\.onnx is not the file of the catalogue/);
    mirror.files.set('/maker/encoder.onnx', Buffer.alloc(ENCODER.length + 1));
    await expect(pull()).rejects.toBeInstanceOf(PullFailed);
    expect(await listInstalledModels(folder)).toEqual([]);
    mirror.files.set('/maker/encoder.onnx', ENCODER);
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('says at once what is final, and tries again what passes', async () => {
    mirror.files.delete('/maker/encoder.onnx');
    await expect(pull()).rejects.toThrow(`${mirror.url}/maker/encoder.onnx answers HTTP 404.`);
    expect(mirror.asked).toHaveLength(1);
    for (let at = 0; at < 5; at += 1) mirror.next((_, response) => response.writeHead(503).end());
    await expect(pull()).rejects.toThrow(/HTTP 503/);
    expect(mirror.asked).toHaveLength(6);
  });

  it('says at once that nothing answers', async () => {
    const { url } = mirror;
    const bring = fromNetwork(
      url,
      lines(() => {}),
    );
    await mirror.stop();
    const attempt = () => pullModel(MODEL, { folder, bring, signal: never, tell: () => {} });
    await expect(attempt()).rejects.toThrow(`Nothing answers at ${url} (ECONNREFUSED).`);
    await expect(attempt()).rejects.toBeInstanceOf(Unreachable);
  });

  it('does not begin what has no room', async () => {
    const free = async () => 2 ** 20;
    await expect(pull({ free })).rejects.toThrow(/tiny needs 140 kB more, and .* has 1 MB free/);
    expect(mirror.asked).toEqual([]);
  });

  it('is done once when two begin at once, and by the other when one was killed', async () => {
    const fetched = await Promise.all([pull(), pull()]);
    expect(fetched.filter(Boolean)).toEqual([true]);
    expect(mirror.asked).toHaveLength(2);
    expect(shown).toContain('Another pull of tiny is under way: waiting for it.');
    await rm(join(folder, 'tiny'), { recursive: true });
    const lock = join(folder, '.tiny.lock');
    await writeFile(lock, '');
    await utimes(lock, new Date(0), new Date(0));
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('replaces a model that is broken', async () => {
    await pull();
    await writeFile(join(folder, 'tiny', 'encoder.onnx'), 'half');
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('takes files from a folder, which lacks none and has no others', async () => {
    const brought = join(folder, '..', 'brought');
    await mkdir(join(brought, 'tiny'), { recursive: true });
    await writeFile(join(brought, 'encoder.onnx'), ENCODER);
    await expect(fromFolder(brought, MODEL)).rejects.toThrow(
      `${brought} lacks files of tiny: tokens.txt (0 kB).`,
    );
    await writeFile(join(brought, 'tiny', 'tokens.txt'), 'other !\n');
    await expect(pull({ bring: await fromFolder(brought, MODEL) })).rejects.toThrow(
      /tokens\.txt is not the file/,
    );
    await writeFile(join(brought, 'tiny', 'tokens.txt'), TOKENS);
    expect(await pull({ bring: await fromFolder(brought, MODEL) })).toBe(true);
    await expectInstalled();
    expect(mirror.asked).toEqual([]);
  });
});

describe('a mirror', () => {
  it('has the files under the same paths, below its own', () => {
    const url = 'https://files.example/a/b.onnx';
    expect(mirrored(url, undefined)).toBe(url);
    expect(mirrored(url, 'http://mirror.lan/')).toBe('http://mirror.lan/a/b.onnx');
    expect(mirrored(url, 'http://mirror.lan/models')).toBe('http://mirror.lan/models/a/b.onnx');
  });
});
