import { buffer } from 'node:stream/consumers';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { boundedBody } from './bounded-body.js';
import { FetchFailed } from './fetch-failed.js';

const bounded = (source: Readable, maxBytes = 100) => {
  const ended = vi.fn();
  return { ended, body: boundedBody(source, { maxBytes, signal: undefined, ended }) };
};
const broken = () =>
  Object.assign(new Error('lengths differ'), { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });

describe('boundedBody', () => {
  it('passes bytes on, and says when the body has ended', async () => {
    const { body, ended } = bounded(Readable.from([Buffer.from('ab'), Buffer.from('c')]));
    expect(String(await buffer(body))).toBe('abc');
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  it('fails with FetchFailed when the source breaks off while it is read', async () => {
    const source = new PassThrough();
    const { body } = bounded(source);
    const read = buffer(body);
    source.write('ab');
    source.destroy(broken());
    await expect(read).rejects.toThrow(FetchFailed);
  });

  it('fails with FetchFailed for a reader that comes after the source broke off', async () => {
    const source = new PassThrough();
    const { body } = bounded(source);
    body.on('error', () => undefined);
    source.destroy(broken());
    await new Promise((resolve) => body.once('close', resolve));
    await expect(buffer(body)).rejects.toThrow('the connection was cut');
  });

  it('fails with FetchFailed when there are too many bytes, and destroys the source', async () => {
    const source = new PassThrough();
    const { body } = bounded(source, 3);
    source.write('abcd');
    await expect(buffer(body)).rejects.toThrow(FetchFailed);
    expect(source.destroyed).toBe(true);
  });
});
