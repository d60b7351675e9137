import { describe, expect, it } from 'vitest';
import { OidcStateCookie, SessionCookie } from './session-cookie.js';

function collectCookies(set: (reply: never) => void): string[] {
  const cookies: string[] = [];
  set({ header: (_: string, value: string) => cookies.push(value) } as never);
  return cookies;
}

function setBoth(publicUrl: string): string[] {
  return collectCookies((reply) => {
    new SessionCookie(publicUrl).set(reply, 'token');
    new OidcStateCookie(publicUrl).set(reply, 'state', 600);
  });
}

describe('the cookies of the console', () => {
  it('are `Secure` and for this host only from `https:`', () => {
    expect(setBoth('https://speech.example.org')).toEqual([
      '__Host-zephyr_session=token; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-zephyr_oidc=state; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://speech.example.org'])(
    'are accepted by every browser from %s',
    (publicUrl) => {
      expect(setBoth(publicUrl)).toEqual([
        'zephyr_session=token; Path=/; HttpOnly; SameSite=Lax',
        'zephyr_oidc=state; Max-Age=600; Path=/; HttpOnly; SameSite=Lax',
      ]);
    },
  );
});
