import { environmentManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { webhookDeliveriesInfiniteQueryOptions } from './webhooks.ts';

const MINUTE_MS = 60_000;

let queryClient: QueryClient;
let requests: number;

beforeEach(() => {
  vi.useFakeTimers();
  // Elsewhere than in a browser nothing is polled.
  environmentManager.setIsServer(() => false);
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  queryClient.mount();
  requests = 0;
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    requests += 1;
    const page = Number(url.searchParams.get('cursor') ?? 0);
    return Response.json({ deliveries: [{ status: 'pending' }], next_cursor: String(page + 1) });
  });
});

afterEach(() => {
  queryClient.unmount();
  queryClient.clear();
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([1, 5, 20])(
  'a list of %i pages with a pending delivery takes 30 requests a minute',
  async (pages) => {
    const observer = new InfiniteQueryObserver(
      queryClient,
      webhookDeliveriesInfiniteQueryOptions('account', {}),
    );
    const end = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    for (let loaded = 1; loaded < pages; loaded += 1) await observer.fetchNextPage();
    expect(observer.getCurrentResult().data?.pages).toHaveLength(pages);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    requests = 0;
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    end();
    expect(requests).toBeGreaterThanOrEqual(270);
    expect(requests).toBeLessThanOrEqual(330);
  },
);
