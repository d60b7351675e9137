import { describe, expect, it } from 'vitest';
import { ResultAddress } from './result-address.js';

let now = 1_000;
const made = (key = 'k') =>
  new ResultAddress({ publicUrl: 'https://api.example', key: Buffer.alloc(32, key), now: () => now });

function parts(address: string) {
  const { pathname, searchParams } = new URL(address);
  return {
    jobId: pathname.slice('/transcripts/'.length),
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
  };
}

const verify = ({ jobId, expires, signature }: ReturnType<typeof parts>, by = made()) =>
  by.verify(jobId, expires, signature);

describe('the address of a transcript', () => {
  it('is good until it expires', () => {
    const address = parts(made().sign('job', 60));
    expect(verify(address)).toBe(true);
    now += 60;
    expect(verify(address)).toBe(false);
    now -= 60;
  });

  it('is refused when anything in it is changed', () => {
    const address = parts(made().sign('job', 60));
    expect(verify({ ...address, jobId: 'other' })).toBe(false);
    expect(verify({ ...address, expires: String(Number(address.expires) + 1) })).toBe(false);
    expect(verify({ ...address, expires: `${address.expires}0` })).toBe(false);
    expect(verify({ ...address, expires: `0${address.expires}x` })).toBe(false);
    expect(verify({ ...address, signature: address.signature.slice(1) })).toBe(false);
    expect(verify({ ...address, signature: `${address.signature.slice(0, -1)}é` })).toBe(false);
  });

  it('is refused by a service with another key', () => {
    expect(verify(parts(made().sign('job', 60)), made('other'))).toBe(false);
  });
});
