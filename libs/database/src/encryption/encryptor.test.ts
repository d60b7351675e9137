import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DecryptionError, Encryptor } from './encryptor.js';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const secret = Buffer.from('a secret');

describe('Encryptor', () => {
  it('decrypts what it encrypted, and encrypts equal plaintexts differently', () => {
    const sealer = new Encryptor(newKey);
    const [one, two] = [sealer.encrypt(secret, 'a'), sealer.encrypt(secret, 'a')];
    expect(sealer.decrypt(one, 'a')).toEqual(secret);
    expect(one.sealed.equals(two.sealed)).toBe(false);
    expect(one.sealed.includes(secret)).toBe(false);
  });

  it('decrypts with a retired key and reports the row as outdated', () => {
    const sealed = new Encryptor(oldKey).encrypt(secret, 'a');
    const rotated = new Encryptor(newKey, [oldKey]);
    expect(rotated.decrypt(sealed, 'a')).toEqual(secret);
    expect(rotated.isOutdated(sealed)).toBe(true);
    expect(rotated.isOutdated(rotated.encrypt(secret, 'a'))).toBe(false);
  });

  it('does not decrypt with another key, for another owner, or after any byte has changed', () => {
    const sealer = new Encryptor(newKey);
    const sealed = sealer.encrypt(secret, 'a');
    expect(() => new Encryptor(oldKey).decrypt(sealed, 'a')).toThrow(DecryptionError);
    expect(() => sealer.decrypt(sealed, 'b')).toThrow(DecryptionError);
    for (const index of sealed.sealed.keys()) {
      const changed = Buffer.from(sealed.sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.decrypt({ ...sealed, sealed: changed }, 'a')).toThrow(DecryptionError);
    }
    expect(() => sealer.decrypt({ ...sealed, sealed: sealed.sealed.subarray(0, 20) }, 'a')).toThrow(
      DecryptionError,
    );
  });

  it('accepts only 32-byte keys', () => {
    expect(() => new Encryptor(randomBytes(16))).toThrow(RangeError);
    expect(() => new Encryptor(newKey, [randomBytes(31)])).toThrow(RangeError);
  });
});
