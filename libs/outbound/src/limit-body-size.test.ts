import { buffer } from 'node:stream/consumers';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { limitBodySize } from './limit-body-size.js';
import { AudioFetchError } from './audio-fetch-error.js';

const createLimited = (source: Readable, maxBytes = 100) => {
  const onEnd = vi.fn();
  return { onEnd, body: limitBodySize(source, maxBytes, undefined, onEnd) };
};
const createStreamError = () =>
  Object.assign(new Error('lengths differ'), { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });

describe('limitBodySize', () => {
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

  it('fails with AudioFetchError when the body is too large, and destroys the source', async () => {
    const source = new PassThrough();
    const { body } = createLimited(source, 3);
    source.write('abcd');
    await expect(buffer(body)).rejects.toThrow(AudioFetchError);
    expect(source.destroyed).toBe(true);
  });
});
