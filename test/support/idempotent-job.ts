import { inTransaction } from '@app/database';
import { createJobInTransaction, DEFAULT_JOB_OPTIONS } from '@app/jobs';
import type { SaveResponseCallback } from '../../apps/api/src/idempotency/idempotency.service.js';
import type { World } from './job-world.js';

/** Inserts a job and its stored response in one transaction. */
export async function createIdempotentJob(
  world: World,
  saveResponse: SaveResponseCallback | undefined,
  beforeCommit = async () => {},
): Promise<{ id: string }> {
  const response = { id: crypto.randomUUID() as string };
  await inTransaction(world.dataSource, async (tx) => {
    await saveResponse?.(tx, response);
    await createJobInTransaction(tx, {
      id: response.id,
      accountId: world.accountId,
      source: 'upload',
      options: DEFAULT_JOB_OPTIONS,
      audioUrl: null,
      contentType: 'application/octet-stream',
      uploadSeconds: 3_600,
      deadlineSeconds: 3_600,
    });
    await beforeCommit();
  });
  return response;
}
