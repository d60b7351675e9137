import type { EntityManager } from 'typeorm';

/** How a person sounds is not kept for longer than it takes to tell the speakers apart. */
export async function forgetVoices(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET result = result - 'voices'
     WHERE job_id = $1 AND queue = 'chunk' AND jsonb_typeof(result) = 'object'`,
    [jobId],
  );
}
