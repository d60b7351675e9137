import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRefused } from '../store-errors.js';
import { AddressSigner, type Grant } from './signing.js';

const key = Buffer.alloc(32, 'k');
const signer = new AddressSigner({ publicUrl: 'https://host/prefix/', signingKeys: [{ id: 'k1', key }] });
const grant: Grant = {
  method: 'PUT',
  key: 'a/b',
  contentType: 'audio/mpeg',
  maxBytes: 10,
  filename: 'ü & =.txt',
};

function verify(address: string, method: 'GET' | 'PUT' = 'PUT'): Grant {
  const { pathname, searchParams } = new URL(address);
  return signer.verify(method, pathname.slice('/prefix/objects/'.length), searchParams);
}

describe('AddressSigner', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00.500Z'), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('gives back what was granted', () => {
    const address = signer.address(grant, 60);
    expect(address).toMatch(/^https:\/\/host\/prefix\/objects\/a\/b\?/);
    expect(verify(address)).toEqual({ ...grant, uploadId: undefined, partNumber: undefined });
    const part: Grant = { method: 'PUT', key: 'a', maxBytes: 5, uploadId: 'u', partNumber: 10_000 };
    expect(verify(signer.address(part, 60))).toMatchObject(part);
  });

  it('counts to the second in which it expires', () => {
    const address = signer.address(grant, 60);
    vi.setSystemTime(new Date('2026-01-01T00:01:00.500Z'));
    expect(verify(address).key).toBe('a/b');
    vi.setSystemTime(new Date('2026-01-01T00:01:01.000Z'));
    expect(() => verify(address)).toThrow('expired');
  });

  it('does not let one method stand for the other', () => {
    expect(() => verify(signer.address(grant, 60), 'GET')).toThrow('does not cover');
    expect(() => verify(signer.address({ method: 'GET', key: 'a' }, 60))).toThrow('does not cover');
  });

  it('accepts one spelling of a signature only', () => {
    const address = new URL(signer.address(grant, 60));
    const signature = address.searchParams.get('signature') ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The last of 43 characters carries four bits of signature and two that decoding drops.
    const sibling = alphabet[alphabet.indexOf(signature.slice(-1)) ^ 1];
    for (const spelling of [
      `${signature}=`,
      signature.slice(0, -1) + sibling,
      ` ${signature}`,
      signature.slice(0, -1),
    ]) {
      address.searchParams.set('signature', spelling);
      expect(() => verify(address.href)).toThrow('does not cover');
    }
  });

  it('does not confuse fields that run into each other', () => {
    const one = new URL(signer.address({ ...grant, contentType: 'a","b', filename: 'c' }, 60));
    one.searchParams.set('type', 'a');
    one.searchParams.set('filename', 'b","c');
    expect(() => verify(one.href)).toThrow('does not cover');
  });

  it('refuses a key that is none, though it was signed', () => {
    for (const bad of ['../a', 'a//b', 'a/.', ''])
      expect(() =>
        signer.verify('GET', bad, new URL(signer.address({ method: 'GET', key: bad }, 60)).searchParams),
      ).toThrow(KeyRefused);
  });

  it('refuses weak keys at start', () => {
    const make = (...signingKeys: { id: string; key: Uint8Array }[]) =>
      new AddressSigner({ publicUrl: 'http://h', signingKeys });
    expect(() => make()).toThrow('needs a signing key');
    expect(() => make({ id: 'k1', key: Buffer.alloc(31) })).toThrow('shorter');
    expect(() => make({ id: 'k 1', key })).toThrow('letters');
  });

  it('signs with the first of several keys of one id, and takes what any of them signed', () => {
    const [older, newer] = [
      { id: 'k1', key },
      { id: 'k1', key: Buffer.alloc(32, 'newer') },
    ];
    const make = (...signingKeys: { id: string; key: Uint8Array }[]) =>
      new AddressSigner({ publicUrl: 'https://host/prefix', signingKeys });
    const parts = (by: AddressSigner): ['PUT', string, URLSearchParams] => {
      const { searchParams } = new URL(by.address(grant, 60));
      return ['PUT', grant.key, searchParams];
    };
    const both = make(newer, older);
    for (const by of [make(older), make(newer), both]) expect(both.verify(...parts(by)).key).toBe('a/b');
    expect(make(newer).verify(...parts(both)).key).toBe('a/b');
    expect(() => make(older).verify(...parts(both))).toThrow('does not cover');
    expect(() => make(newer).verify(...parts(make(older)))).toThrow('does not cover');
  });
});
