import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestJson } from './client.ts';
import { reloadSessionAfterAccountSwitch, sessionQueryOptions } from './queries.ts';
import { forgetShownAccount, getShownAccountId } from './shown-account.ts';

let queryClient: QueryClient;
/** Account of the session; null: the service is not available. */
let accountId: string | null;
let requests: { path: string; shownAccount: string | null }[];

beforeEach(async () => {
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  forgetShownAccount();
  accountId = 'a';
  requests = [];
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', async (url: URL, { headers }: { headers: Record<string, string> }) => {
    requests.push({ path: url.pathname, shownAccount: headers['x-console-account'] ?? null });
    return accountId === null
      ? new Response('', { status: 503 })
      : Response.json({ user: { id: 'user' }, account: { id: accountId }, accounts: [] });
  });
  await queryClient.fetchQuery(sessionQueryOptions);
});

afterEach(() => {
  queryClient.clear();
  forgetShownAccount();
  vi.unstubAllGlobals();
});

describe('after the account was switched', () => {
  it('the tab shows the new account', async () => {
    accountId = 'b';
    await reloadSessionAfterAccountSwitch(queryClient);
    expect(queryClient.getQueryData(sessionQueryOptions.queryKey)).toMatchObject({
      account: { id: 'b' },
      is_of_shown_account: true,
    });
    expect(getShownAccountId()).toBe('b');
  });

  it('requests of the page before are not sent to the new account while its session is not there', async () => {
    accountId = null;
    await expect(reloadSessionAfterAccountSwitch(queryClient)).rejects.toMatchObject({ status: 503 });
    await requestJson('PUT', 'settings').catch(() => undefined);
    expect(requests.at(-1)).toEqual({ path: '/console/api/settings', shownAccount: 'a' });
    expect(queryClient.getQueryData(sessionQueryOptions.queryKey)).toMatchObject({ account: { id: 'a' } });
  });

  it('the account can be switched again', async () => {
    accountId = null;
    await expect(reloadSessionAfterAccountSwitch(queryClient)).rejects.toThrow();
    accountId = 'b';
    await reloadSessionAfterAccountSwitch(queryClient);
    expect(getShownAccountId()).toBe('b');
  });
});
