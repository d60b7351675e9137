import { describe, expect, it } from 'vitest';
import { FileCompressedOnFirstRead, selectEncoding } from './static-file.js';

describe('selectEncoding', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0.8, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip; q=0.0', null],
  ])('%s is answered with %s', (header, encoding) =>
    expect(selectEncoding(['br', 'gzip'], header)).toBe(encoding),
  );
});

describe('CompressedFile', () => {
  it('reads the file again after a failure', async () => {
    const missing = new FileCompressedOnFirstRead(new URL('no-such-file.js', import.meta.url));
    await expect(missing.load()).rejects.toThrow('ENOENT');
    await expect(missing.load()).rejects.toThrow('ENOENT');
  });

  it('returns the bytes of the file from its compressed ones', async () => {
    const file = await new FileCompressedOnFirstRead(new URL('static-file.test.ts', import.meta.url)).load();
    expect((await file.readPlain()).toString()).toContain('returns the bytes of the file');
    expect([...file.encoded.keys()]).toEqual(['gzip']);
  });
});
