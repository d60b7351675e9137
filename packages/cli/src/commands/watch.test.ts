import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InterruptedError } from '../errors.js';
import { FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { watchFolderCommand } from './watch.js';

let context: InProcessCommandLine;
let folder: string;
beforeEach(async () => {
  context = await InProcessCommandLine.create({
    commands: [watchFolderCommand],
    fetch: new FakeJobs().fetch,
  });
  folder = join(context.home, 'inbox');
  await mkdir(folder);
});
afterEach(() => rm(context.home, { recursive: true, force: true }));

it('zephyr watch says once that a file is empty, and waits for its content', async () => {
  const path = join(folder, 'empty.wav');
  await writeFile(path, '');
  const interruption = new AbortController();
  const output = join(context.home, 'transcripts');
  const parameters = ['watch', folder, '--out', output, '--interval', '1'];
  const watching = context.start(parameters, interruption.signal);
  await expect.poll(() => watching.stderr()).toContain(`${path}: empty, waiting for its content\n`);
  await writeFile(path, 'audio');
  await expect.poll(() => watching.stderr()).toContain(`${path}: done`);
  interruption.abort(new InterruptedError('Interrupted.'));
  expect(await watching.code).toBe(130);
  expect(watching.stderr().match(/: empty/g)).toHaveLength(1);
});
