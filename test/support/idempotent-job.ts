import { inTransaction } from '@app/database';
import { createJobAndEnqueueIfUrl } from '@app/jobs';
import type { SaveResponseCallback } from '../../apps/api/src/idempotency/idempotency.service.js';
import type { World } from './job-world.js';
import { buildUploadJob } from './new-job.js';

/** Inserts a job and its stored response in one transaction. */
export async function createIdempotentJob(
  world: World,
  saveResponse: SaveResponseCallback | undefined,
  beforeCommit = async () => {},
): Promise<{ id: string }> {
  const response = { id: crypto.randomUUID() as string };
  await inTransaction(world.dataSource, async (tx) => {
    await saveResponse?.(tx, response);
    await createJobAndEnqueueIfUrl(tx, buildUploadJob({ id: response.id, accountId: world.accountId }));
    await beforeCommit();
  });
  return response;
}
