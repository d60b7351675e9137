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
      stderr: expect.stringContaining(`${option} works with jobs list only.`) as string,
    });
    expect(service.requests).toEqual([]);
  });
});

it('zephyr jobs list asks for no further page when nobody reads the list any more', async () => {
  let pages = 0;
  const fetch = () => {
    const jobs = [{ job_id: `job-${++pages}`, status: 'completed', created_at: '2026-11-28T12:00:00.000Z' }];
    return Promise.resolve(Response.json({ jobs, next_before: String(pages) }));
  };
  const unread = await InProcessCommandLine.create({
    commands: [jobsCommand],
    fetch,
    isOutputClosed: () => pages === 2,
  });
  expect(await unread.run(['jobs', 'list', '-n', '5'])).toMatchObject({ code: 0, stderr: '' });
  expect(pages).toBe(2);
  await rm(unread.home, { recursive: true, force: true });
});
