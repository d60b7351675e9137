import { buffer } from 'node:stream/consumers';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { enforceBodyMaxSizeAndMinRate } from './enforce-body-max-size-and-min-rate.js';
import { AudioFetchError } from './audio-fetch-error.js';

const createLimited = (source: Readable, maxBytes = 100) => {
  const onEnd = vi.fn();
  return {
    onEnd,
    body: enforceBodyMaxSizeAndMinRate(
      source,
      { maxBytes, minBytesPerSecond: 0, rateWindowMs: 1_000 },
      undefined,
      onEnd,
    ),
  };
};
/** A byte every ten milliseconds. */
async function* drip(bytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += 1) {
    await pause(10);
    yield Buffer.from('x');
  }
}

const createStreamError = () =>
  Object.assign(new Error('lengths differ'), { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });

describe('limitBody', () => {
  it('passes bytes on and reports the end of the body', async () => {
    const { body, onEnd } = createLimited(Readable.from([Buffer.from('ab'), Buffer.from('c')]));
    expect(String(await buffer(body))).toBe('abc');
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
  });

  it('fails with AudioFetchError when the source fails during reading', async () => {
    const source = new PassThrough();
    const { body } = createLimited(source);
    const read = buffer(body);
    source.write('ab');
    source.destroy(createStreamError());
    await expect(read).rejects.toThrow(AudioFetchError);
  });

  it('fails with AudioFetchError for a reader that starts after the source failed', async () => {
    const source = new PassThrough();
    const { body } = createLimited(source);
    body.on('error', () => undefined);
    source.destroy(createStreamError());
    await new Promise((resolve) => body.once('close', resolve));
    await expect(buffer(body)).rejects.toThrow('the connection was cut');
  });

  it('fails with AudioFetchError when the server is slower than the minimum rate', async () => {
    const source = Readable.from(drip(100), { objectMode: false });
    const limits = { maxBytes: 1e6, minBytesPerSecond: 1_000, rateWindowMs: 50 };
    const read = buffer(enforceBodyMaxSizeAndMinRate(source, limits, undefined, () => undefined));
    await expect(read).rejects.toMatchObject({ kind: 'too_slow', retryable: true });
  });

  it('accepts a fast server whose bytes are read slowly', async () => {
    const limits = { maxBytes: 1e6, minBytesPerSecond: 1_000_000, rateWindowMs: 1 };
    const body = enforceBodyMaxSizeAndMinRate(
      Readable.from([Buffer.alloc(9), Buffer.alloc(9)]),
      limits,
      undefined,
      () => undefined,
    );
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      await pause(20);
      size += chunk.length;
    }
    expect(size).toBe(18);
  });

  it('fails with AudioFetchError when the body is too large, and destroys the source', async () => {
    const source = new PassThrough();
    const { body } = createLimited(source, 3);
    source.write('abcd');
    await expect(buffer(body)).rejects.toThrow(AudioFetchError);
    expect(source.destroyed).toBe(true);
  });
});
