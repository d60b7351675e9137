import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { signOutMutationOptions } from './use-sign-out.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['deletes the audio that the browser has', {}, 1],
  ['keeps it for a sign-in that follows at once', { keepsUploads: true }, 0],
])('signing out %s', async (_, options, deletions) => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('dispatchEvent', vi.fn());
  vi.stubGlobal('indexedDB', { deleteDatabase });
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  // What the page that is left still has must not be stored after the deletion.
  const onSignedOut = vi.fn(async () => expect(deleteDatabase).toHaveBeenCalledTimes(deletions));
  await new MutationObserver(
    new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } }),
    signOutMutationOptions({ onSignedOut, ...options }),
  ).mutate();
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(deleteDatabase).toHaveBeenCalledTimes(deletions);
});

it('a session that does not end keeps the audio', async () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('indexedDB', { deleteDatabase });
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }));
  const observer = new MutationObserver(new QueryClient(), signOutMutationOptions({ onSignedOut: vi.fn() }));
  await expect(observer.mutate()).rejects.toMatchObject({ status: 503 });
  expect(deleteDatabase).not.toHaveBeenCalled();
});
