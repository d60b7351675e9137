import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { forwardWebhooksCommand } from './listen.js';

const COMPLETED = 'event: completed\nid: 1\ndata: {}\n\n';
const ENDED_JOB = {
  job_id: 'job-1',
  status: 'completed',
  created_at: '2026-11-28T12:00:00.000Z',
  download_url: 'http://fake/get/job-1',
  metadata: {},
};

it('zephyr listen ends when nobody reads its output any more, after the webhook that is being sent', async () => {
  let answer: (() => void) | undefined;
  const target = createServer((_, response) => (answer = () => response.end())).listen(0, '127.0.0.1');
  await once(target, 'listening');
  onTestFinished(() => void target.close());
  let lists = 0;
  const commandLine = await InProcessCommandLine.create({
    commands: [forwardWebhooksCommand],
    fetch: (input) => {
      const { pathname } = new URL(new Request(input).url);
      // The job is made after the start, which looks twice.
      if (pathname === '/api/v1/jobs')
        return Promise.resolve(Response.json({ jobs: ++lists > 2 ? [ENDED_JOB] : [], next_before: null }));
      if (!pathname.endsWith('/stream')) return Promise.resolve(Response.json(ENDED_JOB));
      return Promise.resolve(new Response(COMPLETED, { headers: { 'content-type': 'text/event-stream' } }));
    },
    isOutputClosed: () => {
      answer?.();
      return answer !== undefined;
    },
  });
  onTestFinished(() => rm(commandLine.home, { recursive: true, force: true }));
  const { port } = target.address() as AddressInfo;
  const { code, stdout } = await commandLine.run(['listen', '--forward', `http://127.0.0.1:${port}/`]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^job-1 completed .*200/) as string,
  });
});
