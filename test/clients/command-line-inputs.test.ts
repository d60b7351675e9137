import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { createDeferred } from '../support/deferred.js';
import { parseJsonLines } from '../support/json-lines.js';
import { InstalledCommandLine } from './support/installed-command-line.js';
import type { ForwardedRequest, PublicProxy } from './support/public-proxy.js';
import { makeRecording } from './support/recordings.js';
import { ServiceBehindProxy } from './support/service-behind-proxy.js';

const MIB = 2 ** 20;

let installation: ServiceBehindProxy;
let proxy: PublicProxy;
let service: Service;
let commandLine: InstalledCommandLine;
let talk: Uint8Array;

beforeAll(async () => {
  installation = await ServiceBehindProxy.start({ OUTBOUND_ALLOW: '127.0.0.1' });
  ({ proxy, service } = installation);
  const variables = { ZEPHYR_URL: proxy.url, ZEPHYR_API_KEY: await service.apiKey() };
  commandLine = await InstalledCommandLine.create(variables);
  talk = await makeRecording();
});
afterAll(async () => {
  await commandLine?.remove();
  await installation?.stop();
});
beforeEach(() => void (proxy.chooseFault = () => 'none'));

/** Makes a folder with recordings of these names. */
async function createFolder(name: string, files: readonly string[]): Promise<string> {
  const folder = join(commandLine.home, name);
  for (const file of files) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), talk);
  }
  return folder;
}

const listFiles = async (folder: string) =>
  (await readdir(join(commandLine.home, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted();

const isCreate = ({ method, path }: ForwardedRequest) => method === 'POST' && path === '/api/v1/upload';
const isSignedDownload = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && path.startsWith('/objects/');

describe('zephyr transcribe', () => {
  it('transcribes an address, which the service fetches, to stdout or to a file of its name and query', async () => {
    proxy.files.set('/files/a%20talk.wav?version=2', { type: 'audio/wav', content: talk });
    const address = `${proxy.url}/files/a%20talk.wav?version=2`;
    const puts: string[] = [];
    proxy.chooseFault = ({ method, path }) => (method === 'PUT' && puts.push(path), 'none');
    const printed = await commandLine.run(['transcribe', address]);
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('Good morning') as string });
    expect(await commandLine.run(['transcribe', address, '-o', 'fetched/'])).toMatchObject({
      code: 0,
      stdout: '',
    });
    const [file = '', ...others] = await listFiles('fetched');
    expect([others, file]).toEqual([[], expect.stringMatching(/^a talk-[0-9a-f]{8}\.txt$/)]);
    expect(await readFile(join(commandLine.home, 'fetched', file), 'utf8')).toBe(printed.stdout);
    expect(puts).toEqual([]);
  });

  it('reports an address without a file, which the service does not fetch again, and ends with 1', async () => {
    const { code, stdout, stderr } = await commandLine.run(['transcribe', `${proxy.url}/files/none.wav`]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/none\.wav: Job \S+ failed at preprocess: /);
  });

  it('expands a pattern that the shell has left alone, and keeps the folders below it', async () => {
    await createFolder('years', ['2025/a.wav', '2026/b.wav', '2026/deep/c.wav', '2026/d.wav.part']);
    const one = await commandLine.run(['transcribe', 'years/*/[ab].wav', '-o', 'some/']);
    expect(one.code).toBe(0);
    expect(await listFiles('some')).toEqual(['a.txt', 'b.txt']);
    const deep = await commandLine.run(['transcribe', 'years/2026/**/*.wav', '-o', 'all/', '--json']);
    expect(deep.code).toBe(0);
    const results = parseJsonLines<{ output: string }>(deep.stdout);
    expect(results.map(({ output }) => output).toSorted()).toEqual(['all/b.txt', 'all/deep/c.txt']);
  });

  it('ends with 2 for a pattern without files and a folder without audio', async () => {
    await mkdir(join(commandLine.home, 'empty'), { recursive: true });
    for (const [input, message] of [
      ['*.ogg', 'matches no file'],
      ['empty', 'has no audio files'],
    ] as const) {
      const { code, stderr } = await commandLine.run(['transcribe', input]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  it('says that a file is empty, and what the service says about one that is no audio', async () => {
    await writeFile(join(commandLine.home, 'empty.wav'), '');
    await writeFile(join(commandLine.home, 'text.wav'), 'no audio');
    expect(await commandLine.run(['transcribe', 'empty.wav'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'empty.wav: The file is empty.\n',
    });
    const text = await commandLine.run(['transcribe', 'text.wav']);
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(
      /text\.wav: Job \S+ failed at preprocess: The file is no audio or video file/,
    );
  });

  it('writes transcripts beside several files, skips those that exist, and replaces them on demand', async () => {
    const folder = await createFolder('beside', ['a.wav', 'b.wav']);
    await writeFile(join(folder, 'a.txt'), 'written by hand');
    const parameters = ['transcribe', 'beside/a.wav', 'beside/b.wav'];
    const first = await commandLine.run(parameters);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('beside/a.wav: skipped, beside/a.txt exists');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('written by hand');
    expect(await readFile(join(folder, 'b.txt'), 'utf8')).toContain('Good morning');
    expect((await commandLine.run([...parameters, '--overwrite', '--quiet'])).stderr).toBe('');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toContain('Good morning');
  });

  it('sends standard input of unknown length that is longer than a part', async () => {
    const input = Buffer.from(await makeRecording(17 * MIB));
    const parts: string[] = [];
    proxy.chooseFault = ({ method, path }) => {
      const part = new URL(path, proxy.url).searchParams.get('part');
      if (method === 'PUT' && part !== null) parts.push(part);
      return 'none';
    };
    const { code, stdout } = await commandLine.run(['transcribe', '-'], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Good morning') as string });
    expect(parts.toSorted()).toEqual(['1', '2']);
  });

  it.each([1, 2, 4])('works on %i files at a time, as --concurrency says', async (concurrency) => {
    const names = Array.from({ length: 6 }, (_, index) => `talk-${index}.wav`);
    await createFolder(`at-a-time-${concurrency}`, names);
    let [created, downloaded, most] = [0, 0, 0];
    const reached = createDeferred();
    proxy.chooseFault = (request) => {
      if (isSignedDownload(request)) downloaded++;
      if (isCreate(request)) most = Math.max(most, ++created - downloaded);
      if (created >= concurrency) reached.resolve();
      // The first files wait until as many are in work as may be.
      return request.method === 'PUT' ? { heldUntil: reached.promise } : 'none';
    };
    const folder = `at-a-time-${concurrency}`;
    const flags = concurrency === 4 ? [] : ['--concurrency', `${concurrency}`];
    expect((await commandLine.run(['transcribe', folder, ...flags])).code).toBe(0);
    expect([created, downloaded, most]).toEqual([6, 6, concurrency]);
  });

  it('ends with 130 when it is interrupted, and makes no second job when it is run again', async () => {
    await createFolder('interrupted', ['talk.wav']);
    const creates: ForwardedRequest[] = [];
    let isHeld = true;
    proxy.held.length = 0;
    proxy.chooseFault = (request) => {
      if (isCreate(request)) creates.push(request);
      return isHeld && request.path.endsWith('/stream') ? 'hold-request' : 'none';
    };
    const parameters = ['transcribe', 'interrupted/talk.wav', '-o', 'interrupted/talk.txt'];
    const { child, output, ended } = commandLine.start(parameters);
    await until('it waits for the job', () => proxy.held.length === 1);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(output()).toContain('zephyr: Interrupted. Run the same command again to continue.');
    expect(await listFiles('interrupted')).toEqual(['talk.wav']);
    isHeld = false;
    expect((await commandLine.run(parameters)).code).toBe(0);
    expect(creates).toHaveLength(1);
    expect(await readFile(join(commandLine.home, 'interrupted', 'talk.txt'), 'utf8')).toContain('Good');
  });

  it('ends the upload of its standard input at the service when it is terminated', async () => {
    const requests: ForwardedRequest[] = [];
    proxy.held.length = 0;
    proxy.chooseFault = (request) => {
      requests.push(request);
      return request.method === 'PUT' ? 'hold-request' : 'none';
    };
    const { child, ended } = commandLine.start(['transcribe', '-']);
    child.stdin.write(Buffer.alloc(16 * MIB + 1));
    await until('a part is on its way', () => proxy.held.length === 1);
    child.kill('SIGTERM');
    await ended;
    expect(child.signalCode).toBe('SIGTERM');
    expect(requests.at(-1)?.path).toBe('/api/v1/upload/multipart/abort');
  });

  it('ends with 4 when the key is refused, without trying the other files', async () => {
    await createFolder('refused', ['a.wav', 'b.wav', 'c.wav']);
    let requests = 0;
    proxy.chooseFault = () => (requests++, 'none');
    const env = { ZEPHYR_API_KEY: 'refused' };
    const result = await commandLine.run(['transcribe', 'refused', '-c', '1'], { env });
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr).toContain('Correct ZEPHYR_API_KEY.');
    expect(requests).toBe(1);
  });
});
