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

const createList = (jobs: object[]) => Response.json({ jobs, next_before: null });
const createStream = () => new Response(COMPLETED, { headers: { 'content-type': 'text/event-stream' } });
const createProblem = (status: number, code: string) => Response.json({ status, code }, { status });
const loseConnection = () => Promise.reject(new TypeError('fetch failed'));

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

interface FakeResponses {
  /** To the lists after those of the start; the last one stays. */
  lists: (() => Response | Promise<Response>)[];
  /** To the streams of the job; the last one stays. */
  streams?: (() => Response | Promise<Response>)[];
  /** Of the program that gets the webhooks; the last one stays. */
  statuses: number[];
}

/** Runs the command until the program has accepted the webhook, unless it ends by itself. */
async function listen({ lists, streams = [createStream], statuses }: FakeResponses) {
  const received: number[] = [];
  const target = createServer((_, response) => {
    received.push(statuses[Math.min(received.length, statuses.length - 1)] as number);
    response.writeHead(received.at(-1) as number).end();
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  onTestFinished(() => void target.close());
  const counts = { lists: 0, streams: 0 };
  const commandLine = await InProcessCommandLine.create({
    commands: [forwardWebhooksCommand],
    fetch: async (input) => {
      const { pathname } = new URL(new Request(input).url);
      if (pathname.endsWith('/stream'))
        return (streams[Math.min(counts.streams++, streams.length - 1)] as () => Response)();
      if (pathname !== '/api/v1/jobs') return Response.json(ENDED_JOB);
      // The start looks twice.
      if (++counts.lists <= 2) return createList([]);
      return (lists[Math.min(counts.lists - 3, lists.length - 1)] as () => Response)();
    },
    isOutputClosed: () => received.includes(200),
  });
  onTestFinished(() => rm(commandLine.home, { recursive: true, force: true }));
  const { port } = target.address() as AddressInfo;
  const result = await commandLine.run(['listen', '--forward', `http://127.0.0.1:${port}/`]);
  return { ...result, received };
}

it('zephyr listen goes on when the service is away for a while, and says so once', async () => {
  const { code, stdout, stderr, received } = await listen({
    lists: [loseConnection, () => createProblem(503, 'service_unavailable'), () => createList([ENDED_JOB])],
    streams: [loseConnection, createStream],
    statuses: [200],
  });
  expect({ code, received }).toEqual({ code: 0, received: [200] });
  expect(stdout).toMatch(/^job-1 completed .*200/);
  expect(stderr.match(/^zephyr: .*$/gm)).toEqual(['zephyr: No response from http://fake: fetch failed']);
  expect(stderr.match(/Trying again until the service responds\./g)).toHaveLength(1);
});

it('zephyr listen sends what it has begun to send before it ends by an error', async () => {
  const { code, received, stderr } = await listen({
    lists: [() => createList([ENDED_JOB]), () => createProblem(401, 'invalid_api_key')],
    statuses: [500, 500, 200],
  });
  expect({ code, received }).toEqual({ code: 4, received: [500, 500, 200] });
  expect(stderr).toContain('invalid_api_key');
});
