import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetLinkToken, getLinkToken, captureLinkTokenFromUrl } from './link-token.ts';

describe('captureLinkTokenFromUrl', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    forgetLinkToken();
  });

  it.each([
    ['#abc-_1', 'abc-_1'],
    ['#a%2Fb', 'a/b'],
    ['#%', '%'],
    ['#%E0%A4%A', '%E0%A4%A'],
    ['#', null],
  ])('reads %s as %s and removes it from the address', (hash, token) => {
    const replaceState = vi.fn<(state: unknown, title: string, url: string) => void>();
    vi.stubGlobal('location', { hash, pathname: '/console/sign-in', search: '?a=b' });
    vi.stubGlobal('history', { replaceState });
    captureLinkTokenFromUrl();
    expect(getLinkToken()).toBe(token);
    expect(replaceState.mock.calls.map(([, , url]) => url)).toEqual(
      token === null ? [] : ['/console/sign-in?a=b'],
    );
  });
});
