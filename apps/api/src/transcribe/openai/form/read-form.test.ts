import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '@app/errors';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type MinTransferRate, BodyStalledError } from '../../../request-body/limit-body.js';
import { TRANSCRIPTION_FORM_LIMITS } from './read-form.js';
import { readFormAndStoreFile } from './read-form.js';

const headers = { 'content-type': 'multipart/form-data; boundary="edge"' };
const END = '--edge--\r\n';
const AUDIO = 'RIFF\r\n--edg e\r\n\u0000audio';

const part = (disposition: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (content = AUDIO, name = 'file') => part(`name="${name}"; filename="a.wav"`, content);

interface ReadOptions {
  type?: string | undefined;
  maxFileBytes?: number;
  minTransferRate?: MinTransferRate;
  storeFile?: (bytes: AsyncIterable<Uint8Array>) => Promise<string>;
}

const readToString = async (bytes: AsyncIterable<Uint8Array>) =>
  (await buffer(Readable.from(bytes))).toString();

async function read(body: unknown, options: ReadOptions = {}) {
  const { type = headers['content-type'], ...more } = options;
  const form = await readFormAndStoreFile(
    { headers: { 'content-type': type }, body },
    {
      maxFileBytes: 1_000,
      minTransferRate: { idleTimeoutMs: 60_000, bytesPerSecond: 0 },
      storeFile: readToString,
      ...more,
    },
  );
  return { fields: Object.fromEntries(form.fields), file: form.file };
}

const readText = (text: string, options?: ReadOptions) => read(Readable.from([Buffer.from(text)]), options);

/** The code and the field of what a form is refused for. */
async function captureRejection(result: Promise<unknown>): Promise<[string, string | undefined]> {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  if (!(error instanceof ServiceError)) throw new Error('refused otherwise', { cause: error });
  return [error.code, error.errors?.[0]?.field];
}

describe('readFormAndStoreFile', () => {
  it('reads the fields before and after the file', async () => {
    const form = field('a', '1') + file() + field('b', 'größer') + field('a', '') + END;
    expect(await readText(form)).toEqual({ fields: { a: ['1', ''], b: ['größer'] }, file: AUDIO });
  });

  it('reads the same form however its bytes are chunked', async () => {
    const bytes = Buffer.from(`a preamble\r\n${field('a', '1')}${file()}${field('b', '2')}${END}an epilogue`);
    const anyCuts = fc.array(fc.nat(bytes.length), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyCuts, async (cuts) => {
        const boundaries = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = boundaries.slice(1).map((end, index) => bytes.subarray(boundaries[index], end));
        const body = Readable.from(chunks.filter(({ length }) => length > 0));
        expect(await read(body)).toEqual({ fields: { a: ['1'], b: ['2'] }, file: AUDIO });
      }),
    );
  });

  it('settles for any input and names the invalid field', async () => {
    const bytes = Buffer.from(field('a', '1') + file() + field('b', '2') + END);
    const fragments = [
      '\r\n',
      '--edge',
      '--edge--',
      '--',
      '\r\n\r\n',
      '\r',
      'Content-Disposition',
      '\u0000',
      ': ',
      '"',
    ];
    const anyEdit = fc.record({
      index: fc.nat(bytes.length),
      drop: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(bytes.length)),
      add: fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 5 })),
    });
    const anyBody = fc
      .array(anyEdit, { minLength: 1, maxLength: 5 })
      .map((edits) =>
        edits.reduce(
          (edited, { index, drop, add }) =>
            Buffer.concat([edited.subarray(0, index), Buffer.from(add), edited.subarray(index + drop)]),
          bytes,
        ),
      );
    await fc.assert(
      fc.asyncProperty(anyBody, fc.integer({ min: 1, max: 200 }), async (body, size) => {
        const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
          body.subarray(index * size, (index + 1) * size),
        );
        const error: unknown = await read(Readable.from(chunks)).catch((thrown: unknown) => thrown);
        if (!(error instanceof Error)) return;
        expect(error).toBeInstanceOf(ServiceError);
        expect(error).toMatchObject({
          code: 'validation_failed',
          errors: [{ field: expect.stringMatching(/./s) as string }],
        });
      }),
      { numRuns: 300, timeout: 10_000 },
    );
  });

  it.each([
    ['a file part without a name', part('filename="a.wav"', AUDIO)],
    ['a file part with an empty name', file(AUDIO, '')],
    [
      'a long field with an empty name',
      field('', 'x'.repeat(TRANSCRIPTION_FORM_LIMITS.fieldBytes + 1)) + file(),
    ],
  ])('rejects %s, and names the form', async (_, form) => {
    expect(await captureRejection(readText(form + END))).toEqual(['validation_failed', 'form']);
  });

  it('accepts a file part without a file name', async () => {
    expect((await readText(field('file', AUDIO) + END)).file).toBe(AUDIO);
  });

  it.each([
    ['application/json'],
    ['multipart/form-data'],
    ['multipart/form-data; charset=utf-8'],
    ['multipart/mixed; boundary=edge'],
    ['application/x-www-form-urlencoded'],
    [''],
  ])('rejects the Content-Type %j', async (type) => {
    expect(await captureRejection(readText(file() + END, { type }))).toEqual([
      'validation_failed',
      'Content-Type',
    ]);
  });

  it.each([
    ['no body', '', 'form'],
    ['something else', 'hello', 'form'],
    ['a form that is cut off in its file', file().slice(0, -12), 'form'],
    ['a form that is cut off in a field', file() + field('a', '1').slice(0, -4), 'form'],
    ['a form without its end', file(), 'form'],
    ['nothing but the end', END, 'file'],
    ['no file', field('a', '1') + END, 'file'],
    ['an end that stands first', END + field('a', '1') + file() + END, 'file'],
    ['two files', file() + file() + END, 'file'],
    ['an empty file', file('') + END, 'file'],
    ['another file', file() + file('x', 'image') + END, 'image'],
    ['a field without a name', part('x="y"', '1') + file() + END, 'form'],
    ['a name without an end', field('n'.repeat(101), '1') + file() + END, 'form'],
    ['a long value', field('a', 'x'.repeat(TRANSCRIPTION_FORM_LIMITS.fieldBytes + 1)) + file() + END, 'a'],
    ['many parts without headers', '\r\n--edge'.repeat(TRANSCRIPTION_FORM_LIMITS.parts + 2), 'form'],
    ['many fields', field('a', '1').repeat(TRANSCRIPTION_FORM_LIMITS.fields + 1) + file() + END, 'form'],
  ])('rejects %s', async (_, text, name) => {
    expect(await captureRejection(readText(text))).toEqual(['validation_failed', name]);
  });

  it('does not begin to store the file of a form that it has rejected', async () => {
    const body = new PassThrough();
    const storeFile = vi.fn(readToString);
    const longValue = part('name="a"', 'x'.repeat(TRANSCRIPTION_FORM_LIMITS.fieldBytes + 1));
    const text = longValue + file() + END;
    body.write(text.slice(0, longValue.length + '--edge'.length));
    const rejected = captureRejection(read(body, { storeFile }));
    body.end(text.slice(longValue.length + '--edge'.length));
    expect(await rejected).toEqual(['validation_failed', 'a']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(storeFile).not.toHaveBeenCalled();
  });

  it('rejects a file over the limit before its end, and destroys its stream', async () => {
    const body = new PassThrough();
    let ended = false;
    const storeFile = (bytes: AsyncIterable<Uint8Array>) => readToString(bytes).finally(() => (ended = true));
    body.write(file('x'.repeat(1_001)).slice(0, -2));
    expect(await captureRejection(read(body, { storeFile }))).toEqual(['file_too_large', 'file']);
    expect([ended, body.destroyed]).toEqual([true, false]);
  });

  it('rejects a form whose fields exceed the size limit', async () => {
    const line = `${'x'.repeat(1_022)}\r\n`;
    const text = line.repeat(TRANSCRIPTION_FORM_LIMITS.otherBytes / line.length + 1) + file() + END;
    expect(await captureRejection(readText(text))).toEqual(['file_too_large', 'file']);
  });

  it('rejects with the error of storeFile while the client is still sending', async () => {
    const body = new PassThrough();
    const storeFile = () => Promise.reject(new Error('no room'));
    body.write(file().slice(0, -4));
    await expect(read(body, { storeFile })).rejects.toThrow('no room');
  });

  it('rejects when the client disconnects, and so does storeFile', async () => {
    const body = new PassThrough();
    let failed: unknown;
    const storeFile = (bytes: AsyncIterable<Uint8Array>) => {
      body.destroy(new Error('gone'));
      return readToString(bytes).catch((error: unknown) => {
        failed = error;
        throw error;
      });
    };
    body.write(file().slice(0, -4));
    await expect(read(body, { storeFile })).rejects.toThrow('gone');
    expect(failed).toBeInstanceOf(Error);
  });

  it('aborts a stalled upload', async () => {
    const body = new PassThrough();
    body.write(field('a', '1'));
    const closed = once(body, 'close').catch(() => 'closed');
    await expect(read(body, { minTransferRate: { idleTimeoutMs: 20, bytesPerSecond: 0 } })).rejects.toThrow(
      BodyStalledError,
    );
    await closed;
  });

  it('applies backpressure while storeFile does not read', async () => {
    let createdParts = 0;
    async function* endless() {
      yield Buffer.from(file('').slice(0, -2));
      for (; ; createdParts += 1) yield Buffer.alloc(64 * 1024);
    }
    let stop: (error: Error) => void = () => undefined;
    const stopped = new Promise<string>((_, reject) => (stop = reject));
    const storeFile = async (bytes: AsyncIterable<Uint8Array>) => {
      for await (const _ of bytes) break;
      return stopped;
    };
    const body = Readable.from(endless());
    const result = read(body, { storeFile, maxFileBytes: 1e9 });
    // As many turns of the event loop as it takes an unbounded reader to get far.
    for (let iteration = 0; iteration < 1_000; iteration += 1) await new Promise(setImmediate);
    expect(createdParts).toBeLessThan(20);
    stop(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
  });
});
