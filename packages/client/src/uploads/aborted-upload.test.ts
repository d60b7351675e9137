import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestBytes, FAKE_PART_BYTES, FakeUploadService } from '../testing/fake-uploads.js';

const ABORT_LINE = 'POST /api/v1/upload/multipart/abort';
const options = { partSize: FAKE_PART_BYTES, concurrency: 1 };

/** @param respondToAbort to the request that ends the upload at the service */
function interruptUpload(respondToAbort: (signal: AbortSignal) => Promise<Response>) {
  const uploads = new FakeUploadService();
  const aborts: string[] = [];
  const interruption = new AbortController();
  uploads.intercept = () => {
    interruption.abort(new Error('enough'));
    throw new TypeError('reset');
  };
  const { fetch: answer } = uploads.service;
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (!new Request(input).url.endsWith('/multipart/abort')) return answer(input, init);
    aborts.push(ABORT_LINE);
    return respondToAbort(init?.signal as AbortSignal);
  };
  const client = uploads.service.client({ fetch });
  const bytes = createTestBytes(FAKE_PART_BYTES + 1);
  const submitting = client.submit(bytes, { ...options, signal: interruption.signal });
  submitting.catch(() => undefined);
  return { submitting, aborts };
}

describe('an upload whose signal aborts', () => {
  it('is ended at the service by one request, which is not repeated', async () => {
    const { submitting, aborts } = interruptUpload(() => Promise.reject(new TypeError('fetch failed')));
    await expect(submitting).rejects.toThrow('enough');
    expect(aborts).toEqual([ABORT_LINE]);
  });

  it('waits five seconds at most for the service to respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const hang = (signal: AbortSignal) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      );
    const { submitting, aborts } = interruptUpload(hang);
    await vi.waitUntil(() => aborts.length === 1);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(submitting).rejects.toThrow('enough');
    expect(aborts).toEqual([ABORT_LINE]);
  });
});
