import { describe, expect, it } from 'vitest';
import { isSignedBy, newSigningSecret, sign } from './signature.js';

describe('signatures', () => {
  it('are the HMAC-SHA256 of the bytes, in hex', () => {
    // Test case 2 of RFC 4231.
    expect(sign('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('hold for the exact bytes and the secret only', () => {
    const [secret, body] = [newSigningSecret(), Buffer.from('{"job_id":"ä"}')];
    const signature = sign(secret, body);
    expect(isSignedBy(secret, body, signature)).toBe(true);
    expect(isSignedBy(secret, Buffer.from('{"job_id": "ä"}'), signature)).toBe(false);
    expect(isSignedBy(newSigningSecret(), body, signature)).toBe(false);
    expect(isSignedBy(secret, body, signature.slice(7))).toBe(false);
  });

  it('use secrets of 32 random bytes', () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(Buffer.from(secret.slice(6), 'base64url')).toHaveLength(32);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
