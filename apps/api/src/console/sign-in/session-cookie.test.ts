import { describe, expect, it } from 'vitest';
import { OidcStateCookies, SessionCookie } from './session-cookie.js';

function collectCookies(set: (reply: never) => void): string[] {
  const cookies: string[] = [];
  set({ header: (_: string, value: string) => cookies.push(value) } as never);
  return cookies;
}

function setBoth(publicUrl: string): string[] {
  return collectCookies((reply) => {
    new SessionCookie(publicUrl).set(reply, 'token');
    new OidcStateCookies(publicUrl).set({ headers: {} }, reply, STATE, 600);
  });
}

const STATE = '8kf3Xq_-and-more';

describe('the cookies of the console', () => {
  it('are `Secure` and for this host only from `https:`', () => {
    expect(setBoth('https://speech.example.org')).toEqual([
      '__Host-zephyr_session=token; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-zephyr_oidc_8kf3Xq_-=8kf3Xq_-and-more; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://speech.example.org'])(
    'are accepted by every browser from %s',
    (publicUrl) => {
      expect(setBoth(publicUrl)).toEqual([
        'zephyr_session=token; Path=/; HttpOnly; SameSite=Lax',
        'zephyr_oidc_8kf3Xq_-=8kf3Xq_-and-more; Max-Age=600; Path=/; HttpOnly; SameSite=Lax',
      ]);
    },
  );
});

describe('the cookies of sign-ins through a provider', () => {
  const cookies = new OidcStateCookies('https://speech.example.org');
  const requestWith = (states: readonly string[]) => ({
    headers: { cookie: states.map((state) => `__Host-zephyr_oidc_${state.slice(0, 8)}=${state}`).join('; ') },
  });

  it('are read by the state that the provider returns', () => {
    const request = requestWith(['first-state', 'second-state']);
    expect(cookies.read(request, 'first-state')).toBe('first-state');
    expect(cookies.read(request, 'second-state')).toBe('second-state');
    expect(cookies.read(request, 'first-staTE')).not.toBe('first-staTE');
    expect(cookies.read(request, '')).toBeUndefined();
  });

  it('are five at most: the oldest one ends', () => {
    const states = ['state-00', 'state-01', 'state-02', 'state-03', 'state-04'];
    const begin = (open: readonly string[]) =>
      collectCookies((reply) => cookies.set(requestWith(open), reply, 'state-05', 600));
    expect(begin(states.slice(1))).toEqual([
      expect.stringMatching(/^__Host-zephyr_oidc_state-05=state-05; /),
    ]);
    expect(begin(states)[1]).toMatch(/^__Host-zephyr_oidc_state-00=; Max-Age=0; /);
    expect(begin(states)).toHaveLength(2);
  });
});
