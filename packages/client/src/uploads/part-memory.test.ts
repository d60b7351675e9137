import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HttpTransport } from '../http/http-transport.js';
import type { MultipartResponse } from '../types.js';
import { type AudioPartReader, RandomAccessAudioPartReader } from './audio-part-reader.js';
import { Semaphore } from './semaphore.js';
import { StreamAudioPartReader } from './stream-audio-part-reader.js';
import { uploadMissingParts } from './upload-missing-parts.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const PART_BYTES = 1_000_000;
const UPLOAD = {
  part_size: PART_BYTES,
  parts: [{ part_number: 1, url: 'http://store.example/1' }],
} as MultipartResponse;

const openFile = async (): Promise<AudioPartReader> =>
  new RandomAccessAudioPartReader({ size: PART_BYTES, read: async () => new Uint8Array(PART_BYTES) });

function openStream(): Promise<AudioPartReader> {
  const read = async function* () {
    yield new Uint8Array(PART_BYTES);
  };
  return StreamAudioPartReader.open(read(), PART_BYTES);
}

/** @returns the bytes of which the last Blob has a copy, if they are still in memory */
function watchCopiedBytes(): () => unknown {
  let copied: WeakRef<ArrayBufferLike> | undefined;
  class WatchedBlob extends Blob {
    constructor(parts: Uint8Array<ArrayBuffer>[]) {
      super(parts);
      if (parts[0]) copied = new WeakRef(parts[0].buffer);
    }
  }
  vi.stubGlobal('Blob', WatchedBlob);
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => (copied === undefined ? 'nothing was copied' : copied.deref());
}

it.each([
  ['a file', openFile],
  ['a stream', openStream],
])('a part of %s is in memory once while it is sent', async (_, open) => {
  const getCopiedBytes = watchCopiedBytes();
  const source = await open();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const send = vi.fn(() => new Promise<Response>(() => {}));
  const transport = new HttpTransport({ baseUrl: 'http://service.example', apiKey: 'key', fetch: send });
  const upload = uploadMissingParts(transport, source, UPLOAD, {
    ...{ concurrency: 1, partSemaphore: new Semaphore(1), signal: stop.signal },
    ...{ stored: [], onStored: async () => {} },
  });
  upload.catch(() => {});
  await vi.waitFor(() => {
    expect(send).toHaveBeenCalledTimes(1);
    collectGarbage();
    expect(getCopiedBytes()).toBeUndefined();
  });
});
