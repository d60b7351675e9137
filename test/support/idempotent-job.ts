import { inTransaction } from '@app/database';
import { createJobInTransaction, DEFAULT_JOB_OPTIONS } from '@app/jobs';
import type { SaveResponse } from '../../apps/api/src/idempotency/idempotency.service.js';
import type { World } from './job-world.js';

/** Inserts a job and its stored response; `meanwhile` runs inside the transaction, after both. */
export async function createIdempotentJob(
  world: World,
  remember: SaveResponse | undefined,
  meanwhile = async () => {},
): Promise<{ id: string }> {
  const answer = { id: crypto.randomUUID() as string };
  await inTransaction(world.dataSource, async (tx) => {
    await remember?.(tx, answer);
    await createJobInTransaction(tx, {
      id: answer.id,
      accountId: world.accountId,
      source: 'upload',
      options: DEFAULT_JOB_OPTIONS,
      audioUrl: null,
      contentType: 'application/octet-stream',
      uploadSeconds: 3_600,
      deadlineSeconds: 3_600,
    });
    await meanwhile();
  });
  return answer;
}
