import { ServiceError } from '@app/errors';
import { getServiceFailureCodeOfFailedEvent } from '@app/jobs';
import { FILE_FIELD_NAME } from './form/read-form.js';

/** @param data of the `failed` event: `step`, `reason`, and `given_up` after a failure of the service */
export function toJobFailureError(data: Record<string, unknown>): ServiceError {
  const { step, reason } = data as { step: string; reason: string };
  if (step === 'billing') return new ServiceError('insufficient_credits', { detail: reason });
  if (step === 'cancelled') return new ServiceError('job_cancelled', { detail: reason });
  if (step === 'preprocess' && getServiceFailureCodeOfFailedEvent(data) === null)
    return new ServiceError('unprocessable_audio', {
      detail: reason,
      errors: [{ field: FILE_FIELD_NAME, message: reason }],
    });
  return new ServiceError('job_failed', { detail: `${step}: ${reason}` });
}
