import { ApiError } from '../api/client.ts';
import { describeOptionError } from '../jobs/option-error.ts';
import { texts } from '../texts/index.ts';
import { FileReadTimeoutError } from './digest.ts';
import { isTemporaryUploadError } from './run-upload.ts';
import { PartUploadError } from './send-part.ts';
import type { UploadProblem } from './upload-record.ts';

/** An upload goes on after them, when the session shows its account again, and may. */
const SESSION_PROBLEMS = ['not_signed_in', 'account_switched', 'two_factors_required'];

export function isSessionProblem(problem: UploadProblem | null): boolean {
  return problem !== null && SESSION_PROBLEMS.includes(problem.code);
}

/** An upload goes on after it when the user says that there are credits again. */
export function isCreditProblem(problem: UploadProblem | null): boolean {
  return problem?.status === 402;
}

/** Whether the same upload may succeed later: not one that the service has refused. */
export function mayUploadContinueAfter(error: unknown): boolean {
  const lacksCredit = error instanceof ApiError && error.status === 402;
  return lacksCredit || isTemporaryUploadError(error) || isSessionProblem(toUploadProblem(error));
}

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
