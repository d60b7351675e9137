import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidObjectKeyError } from '../store-errors.js';
import { ObjectUrlSigner, type SignedUrlGrant } from './object-url-signer.js';

const key = Buffer.alloc(32, 'k');
const signer = new ObjectUrlSigner({ publicUrl: 'https://host/prefix/', signingKeys: [{ id: 'k1', key }] });
const grant: SignedUrlGrant = {
  method: 'PUT',
  key: 'a/b',
  contentType: 'audio/mpeg',
  maxBytes: 10,
  filename: 'ü & =.txt',
};

function verify(address: string, method: 'GET' | 'PUT' = 'PUT'): SignedUrlGrant {
  const { pathname, searchParams } = new URL(address);
  return signer.verify(method, pathname.slice('/prefix/objects/'.length), searchParams);
}

describe('ObjectUrlSigner', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00.500Z'), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('returns the grant that was signed', () => {
    const address = signer.sign(grant, 60);
    expect(address).toMatch(/^https:\/\/host\/prefix\/objects\/a\/b\?/);
    expect(verify(address)).toEqual({ ...grant, uploadId: undefined, partNumber: undefined });
    const part: SignedUrlGrant = { method: 'PUT', key: 'a', maxBytes: 5, uploadId: 'u', partNumber: 10_000 };
    expect(verify(signer.sign(part, 60))).toMatchObject(part);
  });

  it('expires to the second', () => {
    const address = signer.sign(grant, 60);
    vi.setSystemTime(new Date('2026-01-01T00:01:00.500Z'));
    expect(verify(address).key).toBe('a/b');
    vi.setSystemTime(new Date('2026-01-01T00:01:01.000Z'));
    expect(() => verify(address)).toThrow('expired');
  });

  it('rejects a URL for another method', () => {
    expect(() => verify(signer.sign(grant, 60), 'GET')).toThrow('does not cover');
    expect(() => verify(signer.sign({ method: 'GET', key: 'a' }, 60))).toThrow('does not cover');
  });

  it('accepts only the canonical spelling of a signature', () => {
    const address = new URL(signer.sign(grant, 60));
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

  it('does not confuse adjacent fields', () => {
    const one = new URL(signer.sign({ ...grant, contentType: 'a","b', filename: 'c' }, 60));
    one.searchParams.set('type', 'a');
    one.searchParams.set('filename', 'b","c');
    expect(() => verify(one.href)).toThrow('does not cover');
  });

  it('rejects an invalid key although it was signed', () => {
    for (const bad of ['../a', 'a//b', 'a/.', ''])
      expect(() =>
        signer.verify('GET', bad, new URL(signer.sign({ method: 'GET', key: bad }, 60)).searchParams),
      ).toThrow(InvalidObjectKeyError);
  });

  it('rejects weak signing keys at start', () => {
    const make = (...signingKeys: { id: string; key: Uint8Array }[]) =>
      new ObjectUrlSigner({ publicUrl: 'http://h', signingKeys });
    expect(() => make()).toThrow('needs a signing key');
    expect(() => make({ id: 'k1', key: Buffer.alloc(31) })).toThrow('shorter');
    expect(() => make({ id: 'k 1', key })).toThrow('letters');
  });

  it('signs with the first of several keys of one id and verifies with all of them', () => {
    const [older, newer] = [
      { id: 'k1', key },
      { id: 'k1', key: Buffer.alloc(32, 'newer') },
    ];
    const make = (...signingKeys: { id: string; key: Uint8Array }[]) =>
      new ObjectUrlSigner({ publicUrl: 'https://host/prefix', signingKeys });
    const parts = (by: ObjectUrlSigner): ['PUT', string, URLSearchParams] => {
      const { searchParams } = new URL(by.sign(grant, 60));
      return ['PUT', grant.key, searchParams];
    };
    const both = make(newer, older);
    for (const by of [make(older), make(newer), both]) expect(both.verify(...parts(by)).key).toBe('a/b');
    expect(make(newer).verify(...parts(both)).key).toBe('a/b');
    expect(() => make(older).verify(...parts(both))).toThrow('does not cover');
    expect(() => make(newer).verify(...parts(make(older)))).toThrow('does not cover');
  });
});
