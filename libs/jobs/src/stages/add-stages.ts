import type { EntityManager } from 'typeorm';
import { owe } from '../outbox/outbox.js';
import { type StageName, stageQueue } from './stage-names.js';

export interface NewStage {
  name: StageName;
  chunkIndex: number;
  input: Record<string, unknown> | null;
}

/** Writes stages and owes them to the queue, in one transaction with what made them due. */
export async function addStages(tx: EntityManager, jobId: string, stages: NewStage[]): Promise<void> {
  if (stages.length === 0) return;
  await tx.query(
    `INSERT INTO job_stage (job_id, name, queue, chunk_index, input, due_at)
     SELECT $1, name, queue, chunk_index, input, now()
     FROM unnest($2::text[], $3::text[], $4::int[], $5::jsonb[]) AS stage (name, queue, chunk_index, input)`,
    [
      jobId,
      stages.map(({ name }) => name),
      stages.map(({ name }) => stageQueue(name)),
      stages.map(({ chunkIndex }) => chunkIndex),
      stages.map(({ input }) => (input === null ? null : JSON.stringify(input))),
    ],
  );
  await owe(
    tx,
    stages.map(({ name, chunkIndex }) => ({ jobId, name, chunkIndex, fence: 0 })),
  );
}
