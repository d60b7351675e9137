import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogueModel, getInstalledModel, listInstalledModels } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestMirror } from '../testing/test-mirror.js';
import { createLineProgressReporter } from './download-progress.js';
import { ModelPullError, ServerUnreachableError } from './model-pull-errors.js';
import { pullModelIfNotInstalled, type PullModelOptions } from './pull-model.js';
import {
  createFolderModelFileFetcher,
  createNetworkModelFileDownloader,
  toMirrorUrl,
} from './model-file-sources.js';

const neverAborted = new AbortController().signal;

const ENCODER = Buffer.from('encoder'.repeat(20_000));
const TOKENS = Buffer.from('a 0\nb 1\n');

let mirror: TestMirror;
let folder: string;
let progressLines: string[];
beforeEach(async () => {
  mirror = await TestMirror.start();
  mirror.files.set('/maker/encoder.onnx', ENCODER).set('/maker/tokens.txt', TOKENS);
  folder = join(await mkdtemp(join(tmpdir(), 'zephyr-pull-')), 'models');
  progressLines = [];
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

function pull(options: Partial<PullModelOptions> = {}): Promise<boolean> {
  const fetchFile = createNetworkModelFileDownloader(
    mirror.url,
    createLineProgressReporter((line) => progressLines.push(line)),
    1,
  );
  return pullModelIfNotInstalled(MODEL, {
    folder,
    fetchFile,
    signal: neverAborted,
    log: (line) => progressLines.push(line),
    ...options,
  });
}

async function expectInstalled(): Promise<void> {
  const { files, settings } = await getInstalledModel(folder, 'tiny');
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
const expectDownloadedBytes = (bytes: number) => () =>
  expect
    .poll(() =>
      stat(join(folder, '.tiny.pull', 'encoder.onnx.part')).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    .toBe(bytes);

const ranges = () => mirror.requests.filter(({ path }) => path.endsWith('.onnx')).map(({ range }) => range);

describe('pullModelIfNotInstalled', () => {
  it('deletes what an interrupted removal of the model left behind', async () => {
    const cut = '.tiny.removed.0d3e6a5c-1f7b-4c67-9d57-2f1de0a94d10';
    await mkdir(join(folder, cut), { recursive: true });
    await pull();
    expect(await readdir(folder)).toEqual(['tiny']);
  });

  it('downloads every file once and reports progress', async () => {
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(progressLines).toEqual(
      expect.arrayContaining(['encoder.onnx: 0 % of 140 kB', 'encoder.onnx: 100 % of 140 kB']),
    );
    expect(await pull()).toBe(false);
    expect(mirror.requests).toHaveLength(2);
  });

  it('resumes after the connection was lost', async () => {
    mirror.queueResponses(
      mirror.disconnectAfter(50_000, expectDownloadedBytes(50_000)),
      mirror.disconnectAfter(30_000, expectDownloadedBytes(80_000)),
    );
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(ranges()).toEqual([null, 'bytes=50000-', 'bytes=80000-']);
  });

  it('resumes where an earlier pull ended, which never looked installed', async () => {
    const controller = new AbortController();
    mirror.queueResponses((request, response) => {
      mirror.disconnectAfter(60_000, expectDownloadedBytes(60_000))(request, response);
      response.once('close', () => controller.abort(new Error('interrupted')));
    });
    const pending = pull({
      signal: controller.signal,
      fetchFile: createNetworkModelFileDownloader(
        mirror.url,
        createLineProgressReporter(() => {}),
        60_000,
      ),
    });
    await expect(pending).rejects.toThrow('interrupted');
    expect(await listInstalledModels(folder)).toEqual([]);
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(ranges()).toEqual([null, 'bytes=60000-']);
  });

  it('starts over when the server does not support ranges', async () => {
    mirror.supportsRanges = false;
    mirror.queueResponses(mirror.disconnectAfter(50_000, expectDownloadedBytes(50_000)));
    expect(await pull()).toBe(true);
    await expectInstalled();
    expect(mirror.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each([
    ['that is told by its validator', () => {}],
    ['that nothing tells', (from: TestMirror) => void (from.supportsRanges = false)],
  ])('starts over when the file changed in between, %s', async (_, arrange) => {
    const other = Buffer.from('another'.repeat(20_000));
    arrange(mirror);
    mirror.files.set('/maker/encoder.onnx', other);
    mirror.queueResponses(
      mirror.disconnectAfter(50_000, expectDownloadedBytes(50_000)),
      (request, response) => {
        mirror.files.set('/maker/encoder.onnx', ENCODER);
        mirror.supportsRanges = true;
        response.writeHead(503).end(request.url);
      },
    );
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it.each([
    ['refuses ranges', 416, {}],
    ['sends other ranges', 206, { 'content-range': 'bytes 7-99/140000' }],
  ])('gives up on a server that cuts every response and %s', async (_, status, headers) => {
    for (let at = 0; at < 20; at += 1)
      mirror.queueResponses(
        mirror.disconnectAfter(50_000, expectDownloadedBytes(50_000)),
        (request, response) => response.writeHead(status, headers).end(request.url),
      );
    await expect(pull()).rejects.toThrow(`it answers HTTP ${status} without the requested range.`);
    expect(ranges()).toEqual([null, 'bytes=50000-', null, 'bytes=50000-', null, 'bytes=50000-']);
  });

  it('gives up on a server without ranges that never gets beyond what it sent before', async () => {
    mirror.supportsRanges = false;
    for (const kilobytes of [90, 20, 30, 40, 50, 60, 70])
      mirror.queueResponses(
        mirror.disconnectAfter(kilobytes * 1000, expectDownloadedBytes(kilobytes * 1000)),
      );
    await expect(pull()).rejects.toThrow('the connection was cut');
    expect(mirror.requests).toHaveLength(6);
  });

  it('installs nothing and keeps no bytes when a checksum differs', async () => {
    mirror.files.set('/maker/encoder.onnx', Buffer.alloc(ENCODER.length));
    await expect(pull()).rejects.toThrow(/encoder\.onnx is not the file of the catalogue/);
    mirror.files.set('/maker/encoder.onnx', Buffer.alloc(ENCODER.length + 1));
    await expect(pull()).rejects.toBeInstanceOf(ModelPullError);
    expect(await listInstalledModels(folder)).toEqual([]);
    mirror.files.set('/maker/encoder.onnx', ENCODER);
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('fails at once on a final response and retries a temporary one', async () => {
    mirror.files.delete('/maker/encoder.onnx');
    await expect(pull()).rejects.toThrow(`${mirror.url}/maker/encoder.onnx answers HTTP 404.`);
    expect(mirror.requests).toHaveLength(1);
    for (let at = 0; at < 5; at += 1) mirror.queueResponses((_, response) => response.writeHead(503).end());
    await expect(pull()).rejects.toThrow(/HTTP 503/);
    expect(mirror.requests).toHaveLength(6);
  });

  it('fails at once when the server is unreachable', async () => {
    const { url } = mirror;
    const fetchFile = createNetworkModelFileDownloader(
      url,
      createLineProgressReporter(() => {}),
    );
    await mirror.stop();
    const attempt = () =>
      pullModelIfNotInstalled(MODEL, { folder, fetchFile, signal: neverAborted, log: () => {} });
    await expect(attempt()).rejects.toThrow(`Nothing answers at ${url} (ECONNREFUSED).`);
    await expect(attempt()).rejects.toBeInstanceOf(ServerUnreachableError);
  });

  it('does not start without enough free space', async () => {
    const free = async () => 2 ** 20;
    await expect(pull({ freeBytes: free })).rejects.toThrow(/tiny needs 140 kB more, and .* has 1 MB free/);
    expect(mirror.requests).toEqual([]);
  });

  it('runs once when two start together, and is taken over when the first is killed', async () => {
    const fetched = await Promise.all([pull(), pull()]);
    expect(fetched.filter(Boolean)).toEqual([true]);
    expect(mirror.requests).toHaveLength(2);
    expect(progressLines).toContain('Another pull of tiny is under way: waiting for it.');
    await rm(join(folder, 'tiny'), { recursive: true });
    const lock = join(folder, '.tiny.lock');
    await writeFile(lock, '');
    await utimes(lock, new Date(0), new Date(0));
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('replaces a broken model', async () => {
    await pull();
    await writeFile(join(folder, 'tiny', 'encoder.onnx'), 'half');
    expect(await pull()).toBe(true);
    await expectInstalled();
  });

  it('copies the files from a folder that contains exactly the files of the model', async () => {
    const sourceFolder = join(folder, '..', 'brought');
    await mkdir(join(sourceFolder, 'tiny'), { recursive: true });
    await writeFile(join(sourceFolder, 'encoder.onnx'), ENCODER);
    await expect(createFolderModelFileFetcher(sourceFolder, MODEL)).rejects.toThrow(
      `${sourceFolder} lacks files of tiny: tokens.txt (0 kB).`,
    );
    await writeFile(join(sourceFolder, 'tiny', 'tokens.txt'), 'other !\n');
    await expect(
      pull({ fetchFile: await createFolderModelFileFetcher(sourceFolder, MODEL) }),
    ).rejects.toThrow(/tokens\.txt is not the file/);
    await writeFile(join(sourceFolder, 'tiny', 'tokens.txt'), TOKENS);
    expect(await pull({ fetchFile: await createFolderModelFileFetcher(sourceFolder, MODEL) })).toBe(true);
    await expectInstalled();
    expect(mirror.requests).toEqual([]);
  });
});

describe('toMirrorUrl', () => {
  it('keeps the path of the file below the path of the mirror', () => {
    const url = 'https://files.example/a/b.onnx';
    expect(toMirrorUrl(url, undefined)).toBe(url);
    expect(toMirrorUrl(url, 'http://mirror.lan/')).toBe('http://mirror.lan/a/b.onnx');
    expect(toMirrorUrl(url, 'http://mirror.lan/models')).toBe('http://mirror.lan/models/a/b.onnx');
  });
});
