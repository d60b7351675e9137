import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

export interface ChunkRow<I, R> {
  index: number;
  input: I;
  result: R;
}

/** Chunks per page, because the chunks of ten hours would take tens of megabytes at once. */
const PAGE_SIZE = 16;

/**
 * Streams input and output of the chunks of a job in order, without voices (`readChunkVoices`). Call it when every
 * chunk is done.
 */
export async function* streamChunkResults<I, R extends object>(
  dataSource: DataSource,
  jobId: string,
): AsyncGenerator<ChunkRow<I, Omit<R, 'voices'>>> {
  yield* readPages(dataSource, jobId, `input, result - 'voices' AS result`);
}

/** The voice description of a chunk. */
export interface ChunkVoicesRow {
  index: number;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  /** Number of recognized words. */
  words: number;
  voices: string | null;
}

/** The voice descriptions of the chunks of a job, in order. Call it when every chunk is done. */
export async function readChunkVoices(dataSource: DataSource, jobId: string): Promise<ChunkVoicesRow[]> {
  const columns = `(input->>'start')::float8 AS start, (input->>'end')::float8 AS "end",
    jsonb_array_length(result->'words') AS words, result->>'voices' AS voices`;
  const rows: ChunkVoicesRow[] = [];
  for await (const row of readPages<ChunkVoicesRow>(dataSource, jobId, columns)) rows.push(row);
  return rows;
}

async function* readPages<T extends { index: number }>(
  dataSource: DataSource,
  jobId: string,
  columns: string,
): AsyncGenerator<T> {
  for (let after = -1, more = true; more;) {
    const rows = await queryRows<T>(
      dataSource,
      `SELECT chunk_index AS index, ${columns} FROM job_stage
       WHERE job_id = $1 AND queue = 'chunk' AND state = 'done' AND chunk_index > $2
       ORDER BY chunk_index LIMIT ${PAGE_SIZE}`,
      [jobId, after],
    );
    yield* rows;
    after = rows.at(-1)?.index ?? after;
    more = rows.length === PAGE_SIZE;
  }
}
