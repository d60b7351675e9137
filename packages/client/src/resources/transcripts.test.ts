import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Zephyr } from '../index.js';

/** Longer than `timeoutMs` together, shorter each. */
const PAUSE_MS = 50_000;

let chunks: ReadableStreamDefaultController<Uint8Array>;
let attempts = 0;

/** Responds at once, with a body that the test sends, and that ends with the signal. */
const fetch: typeof globalThis.fetch = (_, init) => {
  attempts += 1;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      chunks = controller;
      init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
    },
  });
  return Promise.resolve(new Response(body));
};
const client = new Zephyr({ baseUrl: 'http://fake', apiKey: 'key', maxRetries: 0, fetch });

const GETS: [string, () => Promise<string>][] = [
  ['get', () => client.transcripts.get('job-1', { format: 'txt' })],
  ['download', () => client.transcripts.download('http://fake/objects/job-1', 'txt')],
];

beforeEach(() => {
  attempts = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

describe.each(GETS)('transcripts.%s', (_, get) => {
  it('returns a transcript that takes longer than the time limit, while its bytes arrive', async () => {
    const transcript = get();
    transcript.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    for (const text of ['Good ', 'morn', 'ing.']) {
      chunks.enqueue(new TextEncoder().encode(text));
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
    }
    chunks.close();
    expect(await transcript).toBe('Good morning.');
    expect(attempts).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up a transcript of which no more bytes arrive', async () => {
    const transcript = get();
    transcript.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    chunks.enqueue(new TextEncoder().encode('Good '));
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(transcript).rejects.toThrow('No response from http://fake for 60000 ms.');
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('other responses must arrive within the time limit as a whole', async () => {
  const account = client.account();
  account.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  chunks.enqueue(new TextEncoder().encode('{'));
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  await expect(account).rejects.toThrow('No response from http://fake for 60000 ms.');
});
