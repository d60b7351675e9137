import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { computeDigestOfSliceDigests, FileReadTimeoutError, matchesFingerprint } from './digest.ts';

describe('matchesFingerprint', () => {
  const file = new Blob(['aaaa', 'bbbb', 'cc']);

  it('accepts the same bytes, also while only the first parts are known', async () => {
    const digests = [
      await computeDigestOfSliceDigests(new Blob(['aaaa'])),
      await computeDigestOfSliceDigests(new Blob(['bbbb'])),
    ];
    expect(await matchesFingerprint(file, { size: 10, partSize: 4, digests })).toBe(true);
  });

  it.each([
    ['another size', new Blob(['aaaabbbbc'])],
    ['other bytes in a later part', new Blob(['aaaabbbXcc'])],
  ])('rejects %s', async (_, other) => {
    const digests = [
      await computeDigestOfSliceDigests(new Blob(['aaaa'])),
      await computeDigestOfSliceDigests(new Blob(['bbbb'])),
    ];
    expect(await matchesFingerprint(other, { size: 10, partSize: 4, digests })).toBe(false);
  });

  it('differs for the order of slices', async () => {
    const slice = 4 * 2 ** 20;
    const [a, b] = [new Uint8Array(slice), new Uint8Array(slice).fill(1)];
    expect(await computeDigestOfSliceDigests(new Blob([a, b]))).not.toBe(
      await computeDigestOfSliceDigests(new Blob([b, a])),
    );
  });

  it('is the same where streams of files cannot read into a given buffer', async () => {
    const blob = new Blob([new Uint8Array(9 * 2 ** 20).map((_, index) => index % 251)]);
    const expected = await computeDigestOfSliceDigests(blob);
    blob.stream = () => new ReadableStream();
    expect(await computeDigestOfSliceDigests(blob)).toBe(expected);
  });
});

describe('computeDigestOfSliceDigests', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const neverRead = () => {
    const blob = new Blob(['bytes']);
    blob.stream = () => new ReadableStream({ type: 'bytes', pull: () => new Promise(() => {}) });
    return blob;
  };
  const neverReadAtOnce = () => {
    const blob = new Blob(['bytes']);
    blob.stream = () => new ReadableStream();
    blob.slice = () => Object.assign(new Blob(), { arrayBuffer: () => new Promise<ArrayBuffer>(() => {}) });
    return blob;
  };

  it.each([
    ['a stream', neverRead],
    ['slices', neverReadAtOnce],
  ])('gives up a file that is read as %s and delivers nothing for a minute', async (_, make) => {
    const settled = vi.fn();
    const digest = computeDigestOfSliceDigests(make());
    digest.catch(settled);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(digest).rejects.toThrow(FileReadTimeoutError);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with its signal while it waits for the file', async () => {
    const controller = new AbortController();
    const digest = computeDigestOfSliceDigests(neverRead(), controller.signal);
    const reason = new Error('paused');
    controller.abort(reason);
    await expect(digest).rejects.toBe(reason);
  });
});
