import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Stored by preprocess. */
/** A chunk of a block in which speakers are found at once. */
export interface SpeakerBlockChunk {
  key: string;
  /** Where each part of its audio belongs: seconds of the block's audio, and of the file from the start of the block. */
  parts: { audioStart: number; start: number; end: number }[];
}

export interface ChunkInput extends Record<string, unknown> {
  key: string;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  /** From 1; absent if the channels of the file are not transcribed apart. */
  channel?: number;
  /** Detected speech, in seconds from the start of the chunk. Absent in rows of older versions. */
  speech?: { start: number; end: number }[];
  /** What detected it: a voice activity model, or loudness. Absent in rows of older versions. */
  speechDetector?: 'model' | 'level';
  /**
   * Only with a speaker model. `start` is that of the block, in seconds from the start of the file. The last chunk of the block
   * has its `chunks` and describes the voices of all of them; the others describe none.
   */
  speakerBlock?: { start: number; chunks?: SpeakerBlockChunk[] };
  /** Only of chunks whose audio leaves out parts of the file: seconds of audio, and where each part of it belongs. */
  packed?: { seconds: number; parts: { audioStart: number; start: number; end: number }[] };
}

/** The engine that transcribed a chunk, and what it can do. */
export interface ChunkResultEngine {
  name: string;
  model: string | null;
  version: string | null;
  punctuation: boolean;
  vocabulary: boolean;
}

/** Times in seconds from the start of the chunk. */
export interface ChunkOutputWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
  language: string | null;
  /** The times are not measured; absent if they are. */
  estimated?: true;
}

export interface ChunkOutput {
  /** Absent in rows of older versions. */
  engine?: ChunkResultEngine;
  language: string | null;
  words: ChunkOutputWord[];
  /** Features of the voices; null or absent if not requested or not available. */
  voices?: string | null;
  /** Vocabulary terms that the engine cannot use; absent for none. */
  unusedTerms?: number;
  /** The engine returned no word times. */
  timesEstimated?: boolean;
  /** Number of removed low-confidence words; absent for none. */
  doubtedWords?: number;
}

export interface ChunkResultRow {
  index: number;
  input: ChunkInput;
  result: Omit<ChunkOutput, 'voices'>;
}

/** The chunks of ten hours would take tens of megabytes at once. */
const PAGE_SIZE = 16;

/** In order, without voices (`readChunkSpeakerFeatures`). Requires that every chunk is done. */
export function streamChunkResults(dataSource: DataSource, jobId: string): AsyncGenerator<ChunkResultRow> {
  return readPages(dataSource, jobId, `input, result - 'voices' AS result`);
}

export interface ChunkSpeakerFeaturesRow {
  index: number;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  /** From 1; null if the channels are not transcribed apart. */
  channel: number | null;
  /** In seconds from the start of the chunk; null in rows of older versions. */
  speech: { start: number; end: number }[] | null;
  /** Number of recognized words. */
  words: number;
  voices: string | null;
  /** Start of the block whose voices are described at once, in seconds from the start of the file; null without blocks. */
  blockStart: number | null;
}

/** In order. Requires that every chunk is done. */
export async function readChunkSpeakerFeatures(
  dataSource: DataSource,
  jobId: string,
): Promise<ChunkSpeakerFeaturesRow[]> {
  const columns = `(input->>'start')::float8 AS start, (input->>'end')::float8 AS "end",
    (input->>'channel')::int AS channel, input->'speech' AS speech,
    jsonb_array_length(result->'words') AS words, result->>'voices' AS voices,
    (input->'speakerBlock'->>'start')::float8 AS "blockStart"`;
  const rows: ChunkSpeakerFeaturesRow[] = [];
  for await (const row of readPages<ChunkSpeakerFeaturesRow>(dataSource, jobId, columns)) rows.push(row);
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
