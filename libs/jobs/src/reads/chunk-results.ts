import { rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';

export interface ChunkRow<I, R> {
  index: number;
  input: I;
  result: R;
}

/** What the chunks of a job were given and gave, in order. */
export async function chunkResults<I, R>(dataSource: DataSource, jobId: string): Promise<ChunkRow<I, R>[]> {
  return rowsOf<ChunkRow<I, R>>(
    dataSource,
    `SELECT chunk_index AS index, input, result FROM job_stage
     WHERE job_id = $1 AND queue = 'chunk' AND state = 'done' ORDER BY chunk_index`,
    [jobId],
  );
}

/** True when every chunk of the job is done. To be asked under the job's lock. */
export async function chunksDone(tx: Pick<DataSource, 'query'>, jobId: string): Promise<boolean> {
  const [row] = (await tx.query(
    `SELECT NOT EXISTS (SELECT 1 FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state <> 'done') AS done`,
    [jobId],
  )) as { done: boolean }[];
  return row?.done === true;
}
