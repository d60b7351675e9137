import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalidFieldError } from '@app/errors';

/** This field is always the file, with or without a file name. */
export const FILE_FIELD = 'file';

export const FORM_LIMITS = {
  fields: 100,
  nameCharacters: 100,
  /** Bytes of one field's value. */
  fieldBytes: 128 * 1024,
  /** Bytes of a body besides its file. */
  otherBytes: 2 ** 20,
} as const;

/** @throws ServiceError `validation_failed` naming `Content-Type` when the body is not a readable form */
export function createFormParser({ 'content-type': type = '' }: IncomingHttpHeaders): BusboyInstance {
  if (!/^multipart\/form-data *;/i.test(type)) throw notAFormError();
  try {
    return new Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name, _type, filename) => name === FILE_FIELD || filename !== undefined,
      limits: {
        fields: FORM_LIMITS.fields,
        fieldSize: FORM_LIMITS.fieldBytes,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw notAFormError();
  }
}

function notAFormError() {
  return invalidFieldError('Content-Type', 'must be multipart/form-data with a boundary');
}
