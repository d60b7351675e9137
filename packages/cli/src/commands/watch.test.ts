import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../errors.js';
import { createProblemResponse, FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine, type StartedCommand } from '../testing/in-process-command-line.js';
import { watchFolderCommand } from './watch.js';

let service: FakeJobs;
let context: InProcessCommandLine;
let folder: string;
let output: string;
let interruption: AbortController;
let isOutputClosed: () => boolean;
beforeEach(async () => {
  service = new FakeJobs();
  isOutputClosed = () => false;
  context = await InProcessCommandLine.create({
    commands: [watchFolderCommand],
    fetch: service.fetch,
    isOutputClosed: () => isOutputClosed(),
  });
  folder = join(context.home, 'inbox');
  output = join(context.home, 'transcripts');
  interruption = new AbortController();
  await mkdir(folder);
});
afterEach(async () => {
  interruption.abort(new InterruptedError('Interrupted.'));
  await rm(context.home, { recursive: true, force: true });
});

const watch = (...parameters: string[]) =>
  context.start(['watch', folder, '--out', output, '--interval', '1', ...parameters], interruption.signal);
const arrive = (name: string) => writeFile(join(folder, name), 'audio');
async function interrupt(watching: StartedCommand): Promise<void> {
  interruption.abort(new InterruptedError('Interrupted.'));
  expect(await watching.code).toBe(130);
}

it('zephyr watch says once that a file is empty, and waits for its content', async () => {
  const path = join(folder, 'empty.wav');
  await writeFile(path, '');
  const watching = watch();
  await expect.poll(() => watching.stderr()).toContain(`${path}: empty, waiting for its content\n`);
  await writeFile(path, 'audio');
  await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(`${path}: done`);
  await interrupt(watching);
  expect(watching.stderr().match(/: empty/g)).toHaveLength(1);
});

it('zephyr watch names a second transcript of the same name in full, also when it is started again', async () => {
  await arrive('talk.wav');
  const first = watch();
  await expect.poll(() => readdir(output).catch(() => []), { timeout: 5000 }).toEqual(['talk.txt']);
  await arrive('talk.mp3');
  const both = ['talk.mp3.txt', 'talk.txt'];
  await expect.poll(() => readdir(output), { timeout: 5000 }).toEqual(both);
  await interrupt(first);
  interruption = new AbortController();
  const second = watch();
  await arrive('last.wav');
  await expect.poll(() => readdir(output), { timeout: 5000 }).toEqual(['last.txt', ...both]);
  await interrupt(second);
  expect(service.created).toBe(3);
});

it('zephyr watch begins with files that arrive while others are in progress, as many as may be', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  service.intercept = (line) => (line.startsWith('PUT') ? held : undefined);
  await arrive('a.wav');
  const watching = watch('--concurrency', '2');
  await expect.poll(() => service.created, { timeout: 5000 }).toBe(1);
  await arrive('b.wav');
  await expect.poll(() => service.created, { timeout: 5000 }).toBe(2);
  await arrive('c.wav');
  // Two looks later it would begin.
  for (const name of ['seen-1.wav', 'seen-2.wav']) {
    await writeFile(join(folder, name), '');
    await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(`${name}: empty`);
  }
  release();
  await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain('c.wav: done');
  await interrupt(watching);
  expect(service.mostAtATime).toBe(2);
  expect(service.created).toBe(3);
});

it('zephyr watch transcribes a file once that a symbolic link leads to', async () => {
  await arrive('talk.wav');
  await symlink(join(folder, 'talk.wav'), join(folder, 'link.wav'));
  const watching = watch();
  await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain('talk.wav: done');
  const message = `${join(folder, 'link.wav')}: the same file as ${join(folder, 'talk.wav')}`;
  expect(watching.stderr().split(message)).toHaveLength(2);
  await interrupt(watching);
  expect(service.created).toBe(1);
});

it.runIf(process.platform === 'linux')(
  'zephyr watch says once that the name of a file is not UTF-8',
  async () => {
    const name = Buffer.concat([Buffer.from(`${folder}/M`), Buffer.from([0xe4]), Buffer.from('rz.wav')]);
    await writeFile(name, 'audio');
    await arrive('talk.wav');
    const watching = watch();
    await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain('talk.wav: done');
    const message = `${folder}/M\uFFFDrz.wav: left out, because its name is not UTF-8. Rename it.\n`;
    expect(watching.stderr().split(message)).toHaveLength(2);
    await interrupt(watching);
  },
);

describe('zephyr watch, after a failure that may pass', () => {
  const path = () => join(folder, 'talk.wav');
  const look = async (watching: StartedCommand, name: string) => {
    await writeFile(join(folder, `${name}.wav`), '');
    await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(`${name}.wav: empty`);
  };
  let now: number;
  beforeEach(() => {
    now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    [503, 'service_unavailable'],
    [402, 'insufficient_credits'],
  ])('%i %s, takes the file again, after a pause that grows', async (status, code) => {
    service.intercept = () => createProblemResponse(status, code);
    await arrive('talk.wav');
    const watching = watch();
    for (const seconds of [10, 20]) {
      const message = `${path()}: is tried again in ${seconds} seconds\n`;
      await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(message);
      now += (seconds - 1) * 1000;
      await look(watching, `seen-${seconds}`);
      expect(watching.stderr().endsWith(`seen-${seconds}.wav: empty, waiting for its content\n`)).toBe(true);
      if (seconds === 20) service.intercept = () => undefined;
      now += 1000;
    }
    await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(`${path()}: done`);
    await interrupt(watching);
    expect(await readdir(output)).toEqual(['talk.txt']);
  });

  it('does not take the file again after another failure', async () => {
    service.intercept = () => createProblemResponse(422, 'validation_failed');
    await arrive('talk.wav');
    const watching = watch();
    await expect.poll(() => watching.stderr(), { timeout: 5000 }).toContain(`${path()}: 422`);
    now += 3_600_000;
    await look(watching, 'seen');
    await look(watching, 'seen-again');
    await interrupt(watching);
    expect(service.created).toBe(1);
  });
});

it('zephyr watch ends when the key is refused', async () => {
  service.intercept = () => createProblemResponse(401, 'invalid_api_key');
  await arrive('a.wav');
  const watching = watch();
  expect(await watching.code).toBe(4);
});

it('zephyr watch ends when nobody reads its output any more, after the files that it has found', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  service.intercept = (line) => (line.startsWith('PUT') ? held : undefined);
  isOutputClosed = () => {
    const isUploading = service.created === 1;
    if (isUploading) release();
    return isUploading;
  };
  await arrive('talk.wav');
  expect(await watch('--json').code).toBe(0);
  expect(await readdir(output)).toEqual(['talk.txt']);
});
