import { describe, expect, it } from 'vitest';
import { listVariableNameWarnings, loadConfig } from '../load-config.js';

const [one, other] = ['a key of thirty-two characters or more', 'another of thirty-two characters or more'];

describe('ENCRYPTION_KEYS', () => {
  it('is parsed as an ordered list', () => {
    const { service } = loadConfig({ ENCRYPTION_KEYS: `${one}, ${other}` });
    expect(service.encryptionKeys).toEqual([one, other]);
    expect(loadConfig({}).service.encryptionKeys).toEqual([]);
  });

  it.each([
    ['a short key', `${one},short`],
    ['a key twice', `${one},${one}`],
  ])('rejects %s without printing it', (_, keys) => {
    for (const name of ['ENCRYPTION_KEYS', 'SIGNING_SECRET_KEYS', 'SERVICE_SECRET_FALLBACKS']) {
      expect(() => loadConfig({ [name]: keys })).toThrow(new RegExp(`${name} must`));
      expect(() => loadConfig({ [name]: keys })).not.toThrow(/thirty|short,|,short/);
    }
  });

  it('accepts a key with an escaped comma', () => {
    const secrets = `${one.replace(' ', '\\,')},${other}`;
    expect(loadConfig({ SERVICE_SECRET_FALLBACKS: secrets }).service.secretFallbacks).toEqual([
      one.replace(' ', ','),
      other,
    ]);
  });

  it('is still read under its former name, with a warning', () => {
    expect(loadConfig({ SIGNING_SECRET_KEYS: one }).service.encryptionKeys).toEqual([one]);
    expect(listVariableNameWarnings({ SIGNING_SECRET_KEYS: one })).toEqual([
      'SIGNING_SECRET_KEYS is called ENCRYPTION_KEYS now: rename it',
    ]);
    const both = { ENCRYPTION_KEYS: other, SIGNING_SECRET_KEYS: one };
    expect(loadConfig(both).service.encryptionKeys).toEqual([other]);
    expect(listVariableNameWarnings(both)).toEqual([expect.stringContaining('not read')]);
    expect(listVariableNameWarnings({ ENCRYPTION_KEYS: one, SIGNING_SECRET_KEYS: '' })).toEqual([]);
  });
});
