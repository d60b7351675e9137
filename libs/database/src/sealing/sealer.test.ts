import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SealBroken, Sealer } from './sealer.js';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const secret = Buffer.from('a secret');

describe('Sealer', () => {
  it('opens what it sealed, and seals the same secret differently each time', () => {
    const sealer = new Sealer(newKey);
    const [one, two] = [sealer.seal(secret, 'a'), sealer.seal(secret, 'a')];
    expect(sealer.open(one, 'a')).toEqual(secret);
    expect(one.sealed.equals(two.sealed)).toBe(false);
    expect(one.sealed.includes(secret)).toBe(false);
  });

  it('opens with a retired key and says that it is outdated', () => {
    const sealed = new Sealer(oldKey).seal(secret, 'a');
    const rotated = new Sealer(newKey, [oldKey]);
    expect(rotated.open(sealed, 'a')).toEqual(secret);
    expect(rotated.isOutdated(sealed)).toBe(true);
    expect(rotated.isOutdated(rotated.seal(secret, 'a'))).toBe(false);
  });

  it('does not open without its key, for another owner, or after any byte was changed', () => {
    const sealer = new Sealer(newKey);
    const sealed = sealer.seal(secret, 'a');
    expect(() => new Sealer(oldKey).open(sealed, 'a')).toThrow(SealBroken);
    expect(() => sealer.open(sealed, 'b')).toThrow(SealBroken);
    for (const index of sealed.sealed.keys()) {
      const changed = Buffer.from(sealed.sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open({ ...sealed, sealed: changed }, 'a')).toThrow(SealBroken);
    }
    expect(() => sealer.open({ ...sealed, sealed: sealed.sealed.subarray(0, 20) }, 'a')).toThrow(SealBroken);
  });

  it('takes 32-byte keys only', () => {
    expect(() => new Sealer(randomBytes(16))).toThrow(RangeError);
    expect(() => new Sealer(newKey, [randomBytes(31)])).toThrow(RangeError);
  });
});
