import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { createInvalidFieldError, createInvalidFieldsError, type ServiceError } from '@app/errors';
import { type MinTransferRate, BodyTooLargeError, limitBody } from '../../../request-body/limit-body.js';
import type { RequestWithUnreadBody } from '../../../request-body/register-unread-body-passthrough.js';

/** This field is always the file, with or without a file name. */
export const FILE_FIELD_NAME = 'file';

export const TRANSCRIPTION_FORM_LIMITS = {
  fields: 100,
  /** Also counts what is neither a field nor a file, such as a part without headers. */
  parts: 110,
  nameCharacters: 100,
  /** Bytes of one field's value. */
  fieldBytes: 128 * 1024,
  /** Bytes of a body besides its file. */
  otherBytes: 2 ** 20,
} as const;

/** What an error names if a part has no name, or an empty one. */
const FORM = 'form';

/** The values of each field in order. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

export interface ReadFormAndStoreFileOptions<T> {
  maxFileBytes: number;
  minTransferRate: MinTransferRate;
  /** Stores the file from its stream. Called at most once; its error is thrown by `readFormAndStoreFile`. */
  storeFile(bytes: AsyncIterable<Uint8Array>): Promise<T>;
}

/**
 * Reads a form with one file anywhere among its fields. The file is streamed to `storeFile` with backpressure.
 * @throws ServiceError `validation_failed` naming the field, `file_too_large`; or the body's own error when the client
 * disconnects. `storeFile` has settled by then and may have succeeded.
 */
export async function readFormAndStoreFile<T>(
  { headers, body }: RequestWithUnreadBody,
  { maxFileBytes, minTransferRate, storeFile }: ReadFormAndStoreFileOptions<T>,
): Promise<{ fields: FormFields; file: T }> {
  const parser = createFormParser(headers);
  // The first error ends reading, even while the next bytes are awaited.
  const failure = new AbortController();
  const fail = (reason: unknown): void => failure.abort(reason);
  const fields = collectFields(parser, fail);
  let bytes: Readable | undefined;
  let stored: Promise<T> | undefined;
  parser.on('file', (name, stream) => {
    stream.on('error', fail);
    if (failure.signal.aborted) stream.resume();
    else if (name !== FILE_FIELD_NAME)
      fail(createInvalidFieldError(name || FORM, `must not be a file; the audio is ${FILE_FIELD_NAME}`));
    else if (bytes !== undefined) fail(createInvalidFieldError(FILE_FIELD_NAME, 'must be given once'));
    else {
      bytes = stream;
      stored = storeFile(limitFileSize(stream, maxFileBytes));
      stored.catch(fail);
    }
  });

  const source = body instanceof Readable ? body : Readable.from([]);
  const chunks = limitBody(source, {
    maxBytes: maxFileBytes + TRANSCRIPTION_FORM_LIMITS.otherBytes,
    ...minTransferRate,
  });
  const parsing = feedParser(parser, chunks, failure.signal).catch((error: unknown) =>
    fail(error instanceof BodyTooLargeError ? fileTooLargeError(maxFileBytes) : error),
  );
  await Promise.race([parsing, once(failure.signal, 'abort')]);
  if (!failure.signal.aborted && stored === undefined)
    fail(createInvalidFieldError(FILE_FIELD_NAME, 'is missing'));
  if (failure.signal.aborted) (bytes as Readable | undefined)?.destroy();
  const [file] = await Promise.allSettled([stored]);
  failure.signal.throwIfAborted();
  if (file.status === 'rejected') throw file.reason;
  return { fields, file: file.value as T };
}

/** @throws ServiceError `validation_failed` naming `Content-Type` when the body is not a readable form */
export function createFormParser({ 'content-type': type = '' }: IncomingHttpHeaders): BusboyInstance {
  if (!/^multipart\/form-data *;/i.test(type)) throw notAFormError();
  try {
    return new Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name, _type, filename) => name === FILE_FIELD_NAME || filename !== undefined,
      limits: {
        fields: TRANSCRIPTION_FORM_LIMITS.fields,
        parts: TRANSCRIPTION_FORM_LIMITS.parts,
        fieldSize: TRANSCRIPTION_FORM_LIMITS.fieldBytes,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw notAFormError();
  }
}

function notAFormError() {
  return createInvalidFieldError('Content-Type', 'must be multipart/form-data with a boundary');
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
    signal.throwIfAborted();
    if (!parser.write(chunk)) await once(parser, 'drain', { signal });
  }
  signal.throwIfAborted();
  parser.end();
  await finished;
}

/** Returns a map that fills while the parser runs. */
function collectFields(parser: BusboyInstance, fail: (reason: unknown) => void): FormFields {
  const fields = new Map<string, string[]>();
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    if (name === undefined || name.length > TRANSCRIPTION_FORM_LIMITS.nameCharacters)
      return fail(createInvalidFieldError(FORM, 'holds a field without a name of usual length'));
    if (valueCut)
      return fail(
        createInvalidFieldError(
          name || FORM,
          `must be at most ${TRANSCRIPTION_FORM_LIMITS.fieldBytes} bytes`,
        ),
      );
    fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on('fieldsLimit', () =>
    fail(createInvalidFieldError(FORM, `must have at most ${TRANSCRIPTION_FORM_LIMITS.fields} fields`)),
  );
  parser.on('partsLimit', () =>
    fail(createInvalidFieldError(FORM, `must have at most ${TRANSCRIPTION_FORM_LIMITS.parts} parts`)),
  );
  parser.on('error', () => fail(createInvalidFieldError(FORM, 'is cut off or not multipart/form-data')));
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
  if (size === 0) throw createInvalidFieldError(FILE_FIELD_NAME, 'is empty');
}

function fileTooLargeError(maxBytes: number): ServiceError {
  return createInvalidFieldsError(
    [{ field: FILE_FIELD_NAME, message: `must be at most ${maxBytes} bytes` }],
    'file_too_large',
  );
}
