import { ServiceError } from '@app/errors';
import { deleteAudioIntakeUnlessAbandoned } from '@app/jobs';
import type { EntityManager } from 'typeorm';

/**
 * In the transaction that creates the job.
 * @throws ServiceError `service_unavailable` if maintenance has begun to delete the audio of the request
 */
export async function deleteAudioIntakeOrReject(tx: EntityManager, jobId: string): Promise<void> {
  if (await deleteAudioIntakeUnlessAbandoned(tx, jobId)) return;
  throw new ServiceError('service_unavailable', {
    detail: 'The request was open for so long that its audio was given up.',
  });
}
