import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { invalidFieldError, ServiceError } from '@app/errors';
import { type MinTransferRate, BodyTooLargeError, limitBody } from '../../request-body/limit-body.js';
import { FILE_FIELD, FORM_LIMITS, createFormParser } from './create-form-parser.js';

/** The values of each field in order. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

export interface FormRequest {
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

export interface ReadFormOptions<T> {
  maxFileBytes: number;
  pace: MinTransferRate;
  /** Stores the file from its stream. Called at most once; its error is thrown by `readForm`. */
  takeFile(bytes: AsyncIterable<Uint8Array>): Promise<T>;
}

/**
 * Reads a form with one file anywhere among its fields. The file is streamed to `takeFile` with backpressure.
 * @throws ServiceError `validation_failed` naming the field, `file_too_large`; or the body's own error when the client
 * disconnects. `takeFile` has settled by then and may have succeeded.
 */
export async function readForm<T>(
  { headers, body }: FormRequest,
  { maxFileBytes, pace, takeFile }: ReadFormOptions<T>,
): Promise<{ fields: FormFields; file: T }> {
  const parser = createFormParser(headers);
  // The first error ends reading, even while the next bytes are awaited.
  const end = new AbortController();
  const fail = (reason: unknown): void => end.abort(reason);
  const fields = collectFields(parser, fail);
  let bytes: Readable | undefined;
  let stored: Promise<T> | undefined;
  parser.on('file', (name, stream) => {
    stream.on('error', fail);
    if (name !== FILE_FIELD)
      fail(invalidFieldError(name ?? 'form', `must not be a file; the audio is ${FILE_FIELD}`));
    else if (bytes !== undefined) fail(invalidFieldError(FILE_FIELD, 'must be given once'));
    else {
      bytes = stream;
      stored = takeFile(limitFileSize(stream, maxFileBytes));
      stored.catch(fail);
    }
  });

  const source = body instanceof Readable ? body : Readable.from([]);
  const chunks = limitBody(source, { maxBytes: maxFileBytes + FORM_LIMITS.otherBytes, ...pace });
  const parsing = feedParser(parser, chunks, end.signal).catch((error: unknown) =>
    fail(error instanceof BodyTooLargeError ? fileTooLargeError(maxFileBytes) : error),
  );
  await Promise.race([parsing, once(end.signal, 'abort')]);
  if (!end.signal.aborted && stored === undefined) fail(invalidFieldError(FILE_FIELD, 'is missing'));
  if (end.signal.aborted) (bytes as Readable | undefined)?.destroy();
  const [file] = await Promise.allSettled([stored]);
  end.signal.throwIfAborted();
  if (file.status === 'rejected') throw file.reason;
  return { fields, file: file.value as T };
}

/** Resolves when the parser has processed the whole body. */
async function feedParser(
  parser: BusboyInstance,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  // The form can end before its body.
  const finished = once(parser, 'finish', { signal });
  finished.catch(() => undefined);
  for await (const chunk of chunks) {
    if (!parser.write(chunk)) await once(parser, 'drain', { signal });
    signal.throwIfAborted();
  }
  parser.end();
  await finished;
}

/** Returns a map that fills while the parser runs. */
function collectFields(parser: BusboyInstance, fail: (reason: unknown) => void): FormFields {
  const fields = new Map<string, string[]>();
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    const shown = name === undefined || name.length > FORM_LIMITS.nameCharacters ? 'form' : name;
    if (shown !== name)
      return fail(invalidFieldError('form', 'holds a field without a name of usual length'));
    if (valueCut) return fail(invalidFieldError(name, `must be at most ${FORM_LIMITS.fieldBytes} bytes`));
    fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on('fieldsLimit', () =>
    fail(invalidFieldError('form', `must have at most ${FORM_LIMITS.fields} fields`)),
  );
  parser.on('error', () => fail(invalidFieldError('form', 'is cut off or not multipart/form-data')));
  return fields;
}

async function* limitFileSize(stream: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  // Destroying the stream would hide the error that ended it.
  const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw fileTooLargeError(maxBytes);
    yield chunk;
  }
  if (size === 0) throw invalidFieldError(FILE_FIELD, 'is empty');
}

function fileTooLargeError(maxBytes: number): ServiceError {
  const message = `must be at most ${maxBytes} bytes`;
  return new ServiceError('file_too_large', {
    detail: `${FILE_FIELD}: ${message}`,
    errors: [{ field: FILE_FIELD, message }],
  });
}
