import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { jobsCommand } from './jobs.js';

let service: FakeJobs;
let commandLine: InProcessCommandLine;

beforeEach(async () => {
  service = new FakeJobs();
  commandLine = await InProcessCommandLine.create({ commands: [jobsCommand], fetch: service.fetch });
});
afterEach(() => rm(commandLine.home, { recursive: true, force: true }));

describe('a filter of zephyr jobs list', () => {
  it.each(
    ['get', 'cancel', 'delete'].flatMap((action) =>
      [
        ['--status', 'failed'],
        ['--metadata', 'a=b'],
        ['--limit', '1'],
      ].map(([option, value]) => [action, option, value] as [string, string, string]),
    ),
  )('is refused by jobs %s: %s', async (action, option, value) => {
    expect(await commandLine.run(['jobs', action, 'job-1', option, value])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`jobs ${action} has no ${option}: it is of jobs list.`) as string,
    });
    expect(service.requests).toEqual([]);
  });
});
