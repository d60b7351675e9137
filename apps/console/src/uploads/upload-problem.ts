import { ApiError } from '../api/client.ts';
import { describeOptionError } from '../jobs/option-error.ts';
import { texts } from '../texts/index.ts';
import { FileReadTimeoutError } from './digest.ts';
import { PartUploadError } from './send-part.ts';
import type { UploadProblem } from './upload-record.ts';

export function toUploadProblem(error: unknown): UploadProblem {
  if (error instanceof ApiError) {
    const { code, status, message, fields } = error;
    const sentences = fields.map(describeOptionError).join(' ');
    return { code, status, message: sentences || message, ...(fields.length > 0 && { fields }) };
  }
  if (error instanceof PartUploadError) {
    const message = error.status === 0 ? texts.transcribe.storeUnreachable : texts.transcribe.storeRefused;
    return { code: 'part', status: error.status, message };
  }
  if (error instanceof FileReadTimeoutError)
    return { code: 'file_read', status: 0, message: texts.transcribe.fileNotRead };
  return { code: 'offline', status: 0, message: error instanceof Error ? error.message : String(error) };
}

/** The file was changed or removed since it was chosen. */
export function isUnreadableFileError(error: unknown): boolean {
  return error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name);
}
