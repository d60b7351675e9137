import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load.js';

const [one, other] = ['a key of thirty-two characters or more', 'another of thirty-two characters or more'];

describe('SIGNING_SECRET_KEYS', () => {
  it('is a list, in its order', () => {
    const { service } = loadConfig({ SIGNING_SECRET_KEYS: `${one}, ${other}` });
    expect(service.encryptionKeys).toEqual([one, other]);
    expect(loadConfig({}).service.encryptionKeys).toEqual([]);
  });

  it.each([
    ['a short key', `${one},short`],
    ['a key twice', `${one},${one}`],
  ])('refuses %s and does not repeat it', (_, keys) => {
    expect(() => loadConfig({ SIGNING_SECRET_KEYS: keys })).toThrow(/SIGNING_SECRET_KEYS must/);
    expect(() => loadConfig({ SIGNING_SECRET_KEYS: keys })).not.toThrow(/thirty|short,|,short/);
  });
});
