import { ServiceError } from '@app/errors';
import { parseServiceFailure } from '@app/jobs';
import { FILE_FIELD } from './form/create-form-parser.js';

/** Maps the failure of a job to an error response. @param data of its `failed` event: `step`, `reason`, perhaps why it was given up */
export function toJobFailureError(data: Record<string, unknown>): ServiceError {
  const { step, reason } = data as { step: string; reason: string };
  if (step === 'billing') return new ServiceError('insufficient_credits', { detail: reason });
  if (step === 'cancelled') return new ServiceError('job_cancelled', { detail: reason });
  if (step === 'preprocess' && parseServiceFailure(data) === null)
    return new ServiceError('unprocessable_audio', {
      detail: reason,
      errors: [{ field: FILE_FIELD, message: reason }],
    });
  return new ServiceError('job_failed', { detail: `${step}: ${reason}` });
}
