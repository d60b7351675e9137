import { InfiniteQueryObserver, onlineManager, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobsInfiniteQueryOptions } from './jobs.ts';

let queryClient: QueryClient;
let isReachable: boolean;
let requestedPages: (string | null)[];

beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  queryClient.mount();
  isReachable = true;
  requestedPages = [];
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    requestedPages.push(url.searchParams.get('cursor'));
    if (!isReachable) throw new TypeError('Failed to fetch');
    return Response.json({ jobs: [], next_cursor: `page-${requestedPages.length + 1}` });
  });
});

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.unmount();
  queryClient.clear();
  vi.unstubAllGlobals();
});

async function loseConnectionDuring(request: () => Promise<unknown>): Promise<void> {
  isReachable = false;
  onlineManager.setOnline(false);
  await request();
  isReachable = true;
  requestedPages = [];
  onlineManager.setOnline(true);
}

describe('the list of jobs', () => {
  it('is loaded after a lost connection if nothing of it was', async () => {
    const observer = new InfiniteQueryObserver(queryClient, jobsInfiniteQueryOptions('account', {}));
    await loseConnectionDuring(async () => {
      observer.subscribe(() => undefined);
      await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
    });
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
    expect(requestedPages).toEqual([null]);
    observer.destroy();
  });

  it('does not load all its pages again after a lost connection if only the next page was missing', async () => {
    const observer = new InfiniteQueryObserver(queryClient, jobsInfiniteQueryOptions('account', {}));
    observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
    await observer.fetchNextPage();
    await loseConnectionDuring(() => observer.fetchNextPage());
    expect(observer.getCurrentResult()).toMatchObject({ isFetchNextPageError: true });
    await new Promise<void>((resolve) => setTimeout(resolve));
    expect(requestedPages).toEqual([]);
    observer.destroy();
  });
});
