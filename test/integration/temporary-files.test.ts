import type { FileObjectStore } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeferred } from '../support/deferred.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

let files: ThrowawayStore<FileObjectStore>;
beforeEach(async () => {
  files = await createThrowawayStore();
});
afterEach(() => files.close());

describe('the temporary file of a killed process', () => {
  it('the file is deleted when it is idle, and files that are being written stay', async () => {
    const more = createDeferred();
    const writing = files.store.putStream('audio/x', generateSlowBody(more.promise), 'audio/wav');
    expect(await files.store.deleteStaleTemporaryFiles(40)).toBe(0);
    more.resolve();
    await writing;
    expect(await files.store.head('audio/x')).toMatchObject({ size: 2 });
    const interruption = new AbortController();
    const interrupted = new Promise<void>((_, reject) => {
      interruption.signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
    const interruptedPut = files.store.putStream('audio/y', generateSlowBody(interrupted), 'audio/wav');
    interruptedPut.catch(() => undefined);
    await expect.poll(() => files.store.deleteStaleTemporaryFiles(-1)).toBe(1);
    expect(await files.store.deleteStaleTemporaryFiles(-1)).toBe(0);
    interruption.abort();
    await expect(interruptedPut).rejects.toThrow('interrupted');
  });
});

async function* generateSlowBody(more: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  await more;
  yield Buffer.from('b');
}
