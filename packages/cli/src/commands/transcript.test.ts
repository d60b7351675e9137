import { afterEach, beforeEach, expect, it } from 'vitest';
import { rm } from 'node:fs/promises';
import { FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { transcriptCommand } from './transcript.js';

const JOB_PATH = 'GET /api/v1/jobs/job-1';

let service: FakeJobs;
let commandLine: InProcessCommandLine;

beforeEach(async () => {
  service = new FakeJobs();
  commandLine = await InProcessCommandLine.create({
    commands: [transcriptCommand],
    fetch: service.fetch,
    env: { ZEPHYR_API_KEY: 'key' },
  });
});
afterEach(() => rm(commandLine.home, { recursive: true, force: true }));

/** @param statuses of the job, request after request */
function answerWithStatuses(...statuses: string[]): void {
  service.intercept = (line) => {
    if (line === `${JOB_PATH}/stream`)
      return new Response('event: completed\nid: 1\ndata: {}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    if (line === JOB_PATH)
      return Response.json({ job_id: 'job-1', status: statuses.length > 1 ? statuses.shift() : statuses[0] });
    return line.startsWith(JOB_PATH) ? new Response('Good morning.\n') : undefined;
  };
}

it('transcript of a job that runs says that it waits', async () => {
  answerWithStatuses('processing', 'completed');
  expect(await commandLine.run(['transcript', 'job-1'])).toEqual({
    code: 0,
    stdout: 'Good morning.\n',
    stderr: 'Job job-1 has not ended yet. Waiting for its transcript.\n',
  });
});

it('transcript of a job that has ended opens no stream and says nothing', async () => {
  answerWithStatuses('completed');
  expect(await commandLine.run(['transcript', 'job-1'])).toMatchObject({ code: 0, stderr: '' });
  expect(service.requests).not.toContain(`${JOB_PATH}/stream`);
});
