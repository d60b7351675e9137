import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProblemResponse } from '../testing/fake-service.js';
import { createTestBytes, FAKE_PART_BYTES, FakeUploadService } from '../testing/fake-uploads.js';
import type { AudioData } from './audio-part-reader.js';

const options = { partSize: FAKE_PART_BYTES };

interface StalledInput {
  input: AudioData;
  /** Whether the stream was told that nobody reads it any more. */
  isClosed: () => boolean;
}

const STALLED_INPUTS: [string, (beginning: Uint8Array) => StalledInput][] = [
  [
    'a ReadableStream',
    (beginning) => {
      let isClosed = false;
      const input = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(beginning),
        cancel: () => void (isClosed = true),
      });
      return { input, isClosed: () => isClosed };
    },
  ],
  [
    'a stream of Node',
    (beginning) => {
      const input = new Readable({ read: () => undefined });
      input.push(beginning);
      return { input, isClosed: () => input.destroyed };
    },
  ],
  [
    'an iterable',
    (beginning) => {
      let isClosed = false;
      let hasBegun = false;
      const iterator = {
        next: () => {
          if (hasBegun) return new Promise<never>(() => undefined);
          hasBegun = true;
          return Promise.resolve({ done: false as const, value: beginning });
        },
        return: () => {
          isClosed = true;
          return new Promise<never>(() => undefined);
        },
      };
      return { input: { [Symbol.asyncIterator]: () => iterator }, isClosed: () => isClosed };
    },
  ],
];

describe.each(STALLED_INPUTS)('submit of %s that stalls', (_, stall) => {
  it('ends with the reason of the signal before the first part', async () => {
    const uploads = new FakeUploadService();
    const { input, isClosed } = stall(createTestBytes(1_000));
    const abort = new AbortController();
    const submitting = uploads.service.client().submit(input, { ...options, signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(submitting).rejects.toThrow('enough');
    expect(isClosed()).toBe(true);
    expect(uploads.service.lines).toEqual([]);
  });

  it('ends with the reason of the signal between two parts', async () => {
    const uploads = new FakeUploadService();
    const { input, isClosed } = stall(createTestBytes(FAKE_PART_BYTES + 1));
    const abort = new AbortController();
    const submitting = uploads.service.client().submit(input, { ...options, signal: abort.signal });
    submitting.catch(() => undefined);
    await expect.poll(() => uploads.stored.size).toBe(1);
    abort.abort(new Error('enough'));
    await expect(submitting).rejects.toThrow('enough');
    expect(isClosed()).toBe(true);
    expect(uploads.service.lines.at(-1)).toBe('POST /api/v1/upload/multipart/abort');
  });

  it('ends with the error of a part that was refused', async () => {
    const uploads = new FakeUploadService();
    uploads.intercept = () => createProblemResponse(403, 'signature_mismatch');
    const { input, isClosed } = stall(createTestBytes(FAKE_PART_BYTES + 1));
    await expect(uploads.service.client().submit(input, options)).rejects.toThrow('signature_mismatch');
    expect(isClosed()).toBe(true);
  });
});
