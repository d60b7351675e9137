import { expect, it, onTestFinished, vi } from 'vitest';
import { createProblemResponse, FakeService } from '../testing/fake-service.js';
import { createTestBytes, FAKE_PART_BYTES } from '../testing/fake-uploads.js';

const PART_MS = 500;

/** Takes a number of PUTs at a time, half a second each, and refuses the others. */
class BusyStore {
  readonly stored = new Set<string>();
  mostAtATime = 0;
  private created = 0;
  private open = 0;
  private taken = 0;
  private readonly service = new FakeService({
    'POST /api/v1/upload/multipart/create': ({ json }) => {
      const { file_size: size } = json as { file_size: number };
      const job = `job-${++this.created}`;
      const parts = Array.from({ length: Math.ceil(size / FAKE_PART_BYTES) }, (_, index) => ({
        part_number: index + 1,
        url: `http://fake/put/${job}/${index + 1}`,
      }));
      return Response.json({ job_id: job, part_size: FAKE_PART_BYTES, num_parts: parts.length, parts });
    },
    'POST /api/v1/upload/multipart/complete': () => Response.json({ status: 'queued' }),
    'POST /api/v1/upload/multipart/abort': () => Response.json({ status: 'aborted' }),
  });

  constructor(private readonly capacity: number) {}

  readonly fetch: typeof fetch = async (input, init) => {
    if (init?.method !== 'PUT') return this.service.fetch(input, init);
    this.mostAtATime = Math.max(this.mostAtATime, ++this.open);
    try {
      if (this.taken >= this.capacity)
        return createProblemResponse(429, 'concurrency_limit_exceeded', { 'retry-after': '0' });
      this.taken++;
      await new Promise((resolve) => setTimeout(resolve, PART_MS));
      this.taken--;
      const { url } = new Request(input);
      this.stored.add(url);
      return new Response('', { headers: { etag: `"${url}"` } });
    } finally {
      this.open--;
    }
  };

  client() {
    return this.service.client({ fetch: this.fetch });
  }
}

it('many files at a time are all sent to a service that takes few parts at a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = new BusyStore(4);
  const client = store.client();
  const audio = new Blob([createTestBytes(4 * FAKE_PART_BYTES)]);
  const files = Array.from({ length: 8 }, () => client.submit(audio, { partSize: FAKE_PART_BYTES }));
  const progress = { isDone: false };
  const done = Promise.allSettled(files).finally(() => (progress.isDone = true));
  while (!progress.isDone) {
    await vi.advanceTimersByTimeAsync(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await done).filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(store.stored.size).toBe(8 * 4);
  expect(store.mostAtATime).toBeLessThanOrEqual(16);
});
