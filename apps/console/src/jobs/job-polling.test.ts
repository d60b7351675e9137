import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Job, jobRowPollingQueryOptions, jobQueryOptions } from '../api/jobs.ts';
import { registerPolledJob, jobProgressPollingQueryOptions } from './job-progress-polling.ts';

const MINUTE_MS = 60_000;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `job${index}`);

let queryClient: QueryClient;
let status: Job['status'] | 'deleted';
let requests: number;
let ends: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  // Elsewhere than in a browser nothing is polled.
  environmentManager.setIsServer(() => false);
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  queryClient.mount();
  status = 'processing';
  requests = 0;
  ends = [];
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    requests += 1;
    if (status === 'deleted') return Response.json({ code: 'job_not_found' }, { status: 404 });
    return Response.json({ job_id: url.pathname.split('/').at(-1), status });
  });
});

afterEach(() => {
  for (const end of ends) end();
  queryClient.unmount();
  queryClient.clear();
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @returns how many requests the time takes */
async function countRequests(durationMs: number): Promise<number> {
  const before = requests;
  await vi.advanceTimersByTimeAsync(durationMs);
  return requests - before;
}

describe('the progress of jobs without a stream', () => {
  const poll = (id: string) => {
    ends.push(
      registerPolledJob(),
      new QueryObserver(queryClient, jobProgressPollingQueryOptions('account', id)).subscribe(
        () => undefined,
      ),
    );
  };

  it.each([1, 4, 30])('of %i jobs takes 20 requests a minute', async (count) => {
    for (const id of ids(count)) poll(id);
    await countRequests(5 * MINUTE_MS);
    expect(await countRequests(10 * MINUTE_MS)).toBeGreaterThanOrEqual(180);
    expect(await countRequests(10 * MINUTE_MS)).toBeLessThanOrEqual(220);
  });

  it.each(['completed', 'deleted'] as const)('is asked for no more when they are %s', async (end) => {
    for (const id of ids(4)) poll(id);
    status = end;
    await countRequests(MINUTE_MS);
    expect(await countRequests(10 * MINUTE_MS)).toBe(0);
  });
});

describe('rows of processing jobs below the newest ones', () => {
  const show = (id: string) => {
    const job = { job_id: id, status: 'processing' } as Job;
    const observer = new QueryObserver(queryClient, jobRowPollingQueryOptions('account', job));
    const end = observer.subscribe(() => undefined);
    ends.push(end);
    return { observer, end };
  };

  it('show what the list has, and are loaded once a minute', async () => {
    const [row] = ids(40).map(show);
    expect(row?.observer.getCurrentResult().data).toEqual({ job_id: 'job0', status: 'processing' });
    expect(await countRequests(MINUTE_MS - 1)).toBe(0);
    expect(await countRequests(10 * MINUTE_MS)).toBe(400);
  });

  it('are not loaded by scrolling past them', async () => {
    for (const id of ids(500)) show(id).end();
    await countRequests(2 * MINUTE_MS);
    for (const id of ids(500)) show(id).end();
    expect(requests).toBe(0);
  });

  it('are loaded when the page of the job has loaded it', async () => {
    show('job0').end();
    await queryClient.invalidateQueries(jobQueryOptions('account', 'job0'));
    show('job0');
    await countRequests(1_000);
    expect(requests).toBe(1);
  });

  it.each(['completed', 'deleted'] as const)('are loaded no more when the job is %s', async (end) => {
    show('job0');
    status = end;
    expect(await countRequests(10 * MINUTE_MS)).toBe(1);
  });
});
