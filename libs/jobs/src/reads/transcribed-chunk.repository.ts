import { buildAccountScopedQuery, queryAccountRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ChunkOutputWord } from '../stages/chunk-result.repository.js';

export interface TranscribedChunkWords {
  index: number;
  /** Seconds from the start of the file. */
  end: number;
  /** From 1; null if the channels of the file are not transcribed apart. */
  channel: number | null;
  language: string | null;
  words: ChunkOutputWord[];
}

const SELECT_TRANSCRIBED_CHUNKS = buildAccountScopedQuery(
  'transcribed-chunks',
  `SELECT job_stage.chunk_index AS index, (job_stage.input->>'end')::float8 AS "end",
     (job_stage.input->>'channel')::int AS channel,
     job_stage.result->>'language' AS language, job_stage.result->'words' AS words
   FROM job_stage JOIN job ON job.id = job_stage.job_id
   WHERE job_stage.job_id = $2 AND job.status = 'processing' AND job_stage.queue = 'chunk'
     AND job_stage.chunk_index >= $3 AND job_stage.result IS NOT NULL
     AND job_stage.chunk_index < (
       SELECT min(other.chunk_index) FROM job_stage AS other
       WHERE other.job_id = $2 AND other.queue = 'chunk' AND other.state <> 'done')
   ORDER BY job_stage.chunk_index`,
);

/**
 * Chunks from an index on that are transcribed, up to the first one that is not. None once all are: the transcript then
 * follows soon.
 */
export async function readTranscribedChunksBeforeFirstPending(
  dataSource: DataSource,
  { accountId, jobId, firstIndex }: { accountId: string; jobId: string; firstIndex: number },
): Promise<TranscribedChunkWords[]> {
  return queryAccountRows(dataSource, accountId, SELECT_TRANSCRIBED_CHUNKS, [jobId, firstIndex]);
}
