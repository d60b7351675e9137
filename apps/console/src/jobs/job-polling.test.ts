import { environmentManager, focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Job, jobRowPollingQueryOptions, jobQueryOptions } from '../api/jobs.ts';
import { jobProgressPollingQueryOptions } from './job-progress-polling.ts';

const MINUTE_MS = 60_000;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `job${index}`);

let queryClient: QueryClient;
let status: Job['status'] | 'deleted';
/** Ids of the newest jobs of the account. */
let newest: string[];
let requests: number;
let ends: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  // Elsewhere than in a browser nothing is polled.
  environmentManager.setIsServer(() => false);
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  queryClient.mount();
  status = 'processing';
  newest = [];
  requests = 0;
  ends = [];
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    requests += 1;
    const limit = Number(url.searchParams.get('limit'));
    if (url.pathname.endsWith('/jobs'))
      return Response.json({
        jobs: status === 'deleted' ? [] : newest.slice(0, limit).map((job_id) => ({ job_id, status })),
      });
    if (status === 'deleted') return Response.json({ code: 'job_not_found' }, { status: 404 });
    return Response.json({ job_id: url.pathname.split('/').at(-1), status });
  });
});

afterEach(async () => {
  for (const end of ends) end();
  // Reads of the next test do not wait for those of this one.
  await countRequests(MINUTE_MS);
  queryClient.unmount();
  queryClient.clear();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
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
    const observer = new QueryObserver(queryClient, jobProgressPollingQueryOptions('account', id));
    ends.push(observer.subscribe(() => undefined));
    return observer;
  };
  const lookAgain = () => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  };

  it.each([1, 4, 30])('of %i jobs takes 20 requests a minute', async (count) => {
    newest = ids(count);
    for (const id of newest) {
      poll(id);
      // Begun apart, they come together.
      await countRequests(100);
    }
    await countRequests(5 * MINUTE_MS);
    expect(await countRequests(10 * MINUTE_MS)).toBeGreaterThanOrEqual(180);
    expect(await countRequests(10 * MINUTE_MS)).toBeLessThanOrEqual(220);
  });

  it('of jobs that are not among the newest takes 20 more', async () => {
    newest = ids(2);
    for (const id of ids(30)) poll(id);
    await countRequests(5 * MINUTE_MS);
    expect(await countRequests(10 * MINUTE_MS)).toBeLessThanOrEqual(420);
  });

  it('takes one request when a page with many jobs is opened or looked at again', async () => {
    newest = ids(150);
    const observers = newest.map(poll);
    await countRequests(100);
    expect(observers.map((observer) => observer.getCurrentResult().data?.job_id)).toEqual(newest);
    expect(requests).toBe(1);
    lookAgain();
    expect(await countRequests(100)).toBe(1);
  });

  it('of a page that was left is not asked for', async () => {
    for (const id of ids(30)) poll(id);
    await countRequests(100);
    for (const end of ends) end();
    expect(await countRequests(MINUTE_MS)).toBe(0);
  });

  it.each(['completed', 'deleted'] as const)('is asked for no more when they are %s', async (end) => {
    newest = ids(4);
    for (const id of newest) poll(id);
    status = end;
    await countRequests(MINUTE_MS);
    expect(await countRequests(10 * MINUTE_MS)).toBe(0);
    lookAgain();
    expect(await countRequests(MINUTE_MS)).toBe(0);
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
