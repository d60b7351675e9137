import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { TranscriptUrlSigner } from './transcript-url-signer.js';

let now = 1_000;
const createSigner = (key = 'k', ...others: string[]) =>
  new TranscriptUrlSigner({
    publicUrl: 'https://api.example',
    keys: [Buffer.alloc(32, key), ...others.map((other) => Buffer.alloc(32, other))],
    now: () => now,
  });

function parts(address: string) {
  const { pathname, searchParams } = new URL(address);
  return {
    jobId: pathname.slice('/transcripts/'.length),
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
  };
}

/** The code of the refusal, null where there is none. */
function refusal(
  { jobId, expires, signature }: Record<keyof ReturnType<typeof parts>, unknown>,
  by = createSigner(),
) {
  try {
    by.verify(String(jobId), expires, signature);
    return null;
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
}

describe('TranscriptUrlSigner', () => {
  it('accepts its URL until it expires', () => {
    const address = parts(createSigner().sign('job', 60));
    expect(refusal(address)).toBeNull();
    now += 60;
    expect(refusal(address)).toBe('url_expired');
    now -= 60;
  });

  it('rejects a URL with any change', () => {
    const address = parts(createSigner().sign('job', 60));
    for (const twice of [['1', '2'], undefined])
      for (const part of ['expires', 'signature'])
        expect(refusal({ ...address, [part]: twice })).toBe('signature_mismatch');
    expect(refusal({ ...address, jobId: 'other' })).toBe('signature_mismatch');
    expect(refusal({ ...address, expires: String(Number(address.expires) + 1) })).toBe('signature_mismatch');
    expect(refusal({ ...address, expires: `${address.expires}0` })).toBe('signature_mismatch');
    expect(refusal({ ...address, expires: `0${address.expires}x` })).toBe('signature_mismatch');
    expect(refusal({ ...address, signature: address.signature.slice(1) })).toBe('signature_mismatch');
    expect(refusal({ ...address, signature: `${address.signature.slice(0, -1)}é` })).toBe(
      'signature_mismatch',
    );
  });

  it('signs with the first key and accepts all keys', () => {
    const both = createSigner('newer', 'older');
    for (const by of [createSigner('newer'), createSigner('older'), both])
      expect(refusal(parts(by.sign('job', 60)), both)).toBeNull();
    expect(refusal(parts(both.sign('job', 60)), createSigner('newer'))).toBeNull();
    expect(refusal(parts(both.sign('job', 60)), createSigner('older'))).toBe('signature_mismatch');
  });

  it('rejects a URL of a service with another key', () => {
    expect(refusal(parts(createSigner().sign('job', 60)), createSigner('other'))).toBe('signature_mismatch');
  });
});
