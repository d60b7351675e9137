import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKey, generateApiKey, parseApiKey } from './key-format.js';

describe('API keys', () => {
  it('a generated key is parsed into its id and secret', () => {
    const { text, id, secret } = generateApiKey();
    expect(parseApiKey(text)).toEqual({ id, secret });
  });

  it('generated keys are unique', () => {
    expect(new Set(Array.from({ length: 200 }, () => generateApiKey().text)).size).toBe(200);
  });

  it('a secret has 200 random bits: each of its 40 characters takes all 32 values', () => {
    const secrets = Array.from({ length: 1_500 }, () => generateApiKey().secret);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (let at = 0; at < 40; at += 1) expect(new Set(secrets.map((secret) => secret[at])).size).toBe(32);
  });

  it('a key with any character changed is rejected', () => {
    const { text } = generateApiKey();
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
    }
  });

  it.each(['', 'zk_', 'sk_abc', 'zk_aaaaaaaaaaaaaaaa_', ' '.repeat(66), '\u0000'])(
    'parseApiKey rejects %j as malformed',
    (text) => {
      expect(parseApiKey(text)).toBeNull();
    },
  );

  it('the hash of a key depends on the hashing key', () => {
    const key = generateApiKey();
    expect(hashApiKey(key, randomBytes(32)).equals(hashApiKey(key, randomBytes(32)))).toBe(false);
  });
});
