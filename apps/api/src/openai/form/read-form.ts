import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { invalidField, ServiceError } from '@app/errors';
import { type BodyPace, BodyTooLarge, guardedBody } from '../../storage/guarded-body.js';
import { FILE, FORM_LIMITS, formParser } from './form-parser.js';

/** The values of the fields by name, each in the order in which they came. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export interface FormRequest {
  /** As they were sent. */
  headers: IncomingHttpHeaders;
  /** The stream of the body. */
  body: unknown;
}

export interface FormReading<T> {
  maxFileBytes: number;
  pace: BodyPace;
  /** Takes the bytes of the file as they come. Called at most once; what it throws is thrown. */
  takeFile(bytes: AsyncIterable<Uint8Array>): Promise<T>;
}

/**
 * Reads a form of fields and one file, which may stand anywhere among them. The file is not kept: what cannot be taken
 * yet is not read from the sender either.
 * @throws ServiceError `validation_failed` naming the field, `file_too_large`; or the body's own error when its sender is
 * gone. `takeFile` has ended by then, too; it may have succeeded.
 */
export async function readForm<T>(
  { headers, body }: FormRequest,
  { maxFileBytes, pace, takeFile }: FormReading<T>,
): Promise<{ fields: Fields; file: T }> {
  const parser = formParser(headers);
  // Whatever is wrong first ends the reading; it may be found while the next bytes are still awaited.
  const end = new AbortController();
  const refuse = (reason: unknown): void => end.abort(reason);
  const fields = collectFields(parser, refuse);
  let bytes: Readable | undefined;
  let taken: Promise<T> | undefined;
  parser.on('file', (name, stream) => {
    stream.on('error', refuse);
    if (name !== FILE) refuse(invalidField(name ?? 'form', `must not be a file; the audio is ${FILE}`));
    else if (bytes !== undefined) refuse(invalidField(FILE, 'must be given once'));
    else {
      bytes = stream;
      taken = takeFile(fileBytes(stream, maxFileBytes));
      taken.catch(refuse);
    }
  });

  const source = body instanceof Readable ? body : Readable.from([]);
  const chunks = guardedBody(source, { maxBytes: maxFileBytes + FORM_LIMITS.otherBytes, ...pace });
  const fed = feed(parser, chunks, end.signal).catch((error: unknown) =>
    refuse(error instanceof BodyTooLarge ? tooLarge(maxFileBytes) : error),
  );
  await Promise.race([fed, once(end.signal, 'abort')]);
  if (!end.signal.aborted && taken === undefined) refuse(invalidField(FILE, 'is missing'));
  if (end.signal.aborted) (bytes as Readable | undefined)?.destroy();
  const [file] = await Promise.allSettled([taken]);
  end.signal.throwIfAborted();
  if (file.status === 'rejected') throw file.reason;
  return { fields, file: file.value as T };
}

/** Ends when the parser has made everything of the body, the file taken included. */
async function feed(
  parser: BusboyInstance,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  // A form may end before its body does.
  const finished = once(parser, 'finish', { signal });
  finished.catch(() => undefined);
  for await (const chunk of chunks) {
    if (!parser.write(chunk)) await once(parser, 'drain', { signal });
    signal.throwIfAborted();
  }
  parser.end();
  await finished;
}

/** Fills up while the parser works. */
function collectFields(parser: BusboyInstance, refuse: (reason: unknown) => void): Fields {
  const fields = new Map<string, string[]>();
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    const shown = name === undefined || name.length > FORM_LIMITS.nameCharacters ? 'form' : name;
    if (shown !== name) return refuse(invalidField('form', 'holds a field without a name of usual length'));
    if (valueCut) return refuse(invalidField(name, `must be at most ${FORM_LIMITS.fieldBytes} bytes`));
    fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on('fieldsLimit', () =>
    refuse(invalidField('form', `must have at most ${FORM_LIMITS.fields} fields`)),
  );
  parser.on('error', () => refuse(invalidField('form', 'is cut off or not multipart/form-data')));
  return fields;
}

async function* fileBytes(stream: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  // Destroyed, it would fail with an error of its own, in the place of the one that ended the taking.
  const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
  if (size === 0) throw invalidField(FILE, 'is empty');
}

function tooLarge(maxBytes: number): ServiceError {
  const message = `must be at most ${maxBytes} bytes`;
  return new ServiceError('file_too_large', {
    detail: `${FILE}: ${message}`,
    errors: [{ field: FILE, message }],
  });
}
