import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcribeCommand } from '../commands/transcribe.js';
import { createProblemResponse, FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';

let service: FakeJobs;
let context: InProcessCommandLine;
let folder: string;
/** From which request on there is no response. */
let silentFrom: number;

beforeEach(async () => {
  service = new FakeJobs();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await service.fetch(input, init);
    if (service.requests.length < silentFrom) return response;
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  };
  context = await InProcessCommandLine.create({ commands: [transcribeCommand], fetch });
  folder = join(context.home, 'recordings');
  await mkdir(folder);
  for (const name of ['a', 'b', 'c', 'd']) await writeFile(join(folder, `${name}.wav`), 'audio');
});
afterEach(() => rm(context.home, { recursive: true, force: true }));

describe('several files, with a service that does not respond', () => {
  it.each(['1', '2'])('end with the first ones, %s at a time, if it never has', async (concurrency) => {
    silentFrom = 1;
    expect(await context.run(['transcribe', folder, '-c', concurrency])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'zephyr: No response from http://fake: connect ECONNREFUSED\nNothing was transcribed. Run the same command again when the service responds.\n',
    });
    expect(service.requests).toHaveLength(Number(concurrency));
  });

  it('are all tried if it has responded', async () => {
    silentFrom = 2;
    service.intercept = () => createProblemResponse(422, 'validation_failed');
    const { code, stderr } = await context.run(['transcribe', folder, '-c', '1']);
    expect(code).toBe(1);
    expect(stderr.match(/\.wav: No response from http:\/\/fake/g)).toHaveLength(3);
  });
});
