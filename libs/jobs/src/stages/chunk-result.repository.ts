import { type PreparedStatement, queryPrepared, queryInOneRoundTrip } from '@app/database';
import type { DataSource } from 'typeorm';
import {
  type AudioSummary,
  SELECT_AUDIO_SUMMARY,
  UNKNOWN_AUDIO_SUMMARY,
} from '../reads/audio-summary.repository.js';

/** A chunk of a block in which speakers are found at once. */
export interface DiarizationBlockChunk {
  key: string;
  /** Where each part of its audio belongs: seconds of the block's audio, and of the file from the start of the block. */
  parts: { audioStart: number; start: number; end: number }[];
}

/** Stored by preprocess. */
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
  speakerBlock?: { start: number; chunks?: DiarizationBlockChunk[] };
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
  /** The word follows a space between phrases of a script that has none between words; absent for other words. */
  spaceBefore?: true | undefined;
}

export interface ChunkOutput {
  /** Absent in rows of older versions. */
  engine?: ChunkResultEngine;
  language: string | null;
  words: ChunkOutputWord[];
  /** The speaker features, under a name that earlier versions have stored; null or absent if not requested or not available. */
  voices?: string | null;
  /** Vocabulary terms that the engine cannot use; absent for none. */
  unusedTerms?: number;
  /** Languages of the words if terms are searched for in none of them; null for an unknown one. */
  languagesWithoutVocabulary?: (string | null)[];
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
  speakerFeatures: string | null;
  /** Start of the block whose voices are described at once, in seconds from the start of the file; null without blocks. */
  blockStart: number | null;
}

/** The chunks of ten hours would take tens of megabytes at once. */
const PAGE_SIZE = 16;

const selectPage = (name: string, columns: string) => ({
  name,
  text: `SELECT chunk_index AS index, ${columns} FROM job_stage
    WHERE job_id = $1 AND queue = 'chunk' AND state = 'done' AND chunk_index > $2
    ORDER BY chunk_index LIMIT ${PAGE_SIZE}`,
});

const SELECT_RESULTS = selectPage('chunk-results', `input, result - 'voices' AS result`);
const SELECT_SPEAKER_FEATURES = selectPage(
  'chunk-speaker-features',
  `(input->>'start')::float8 AS start, (input->>'end')::float8 AS "end",
    (input->>'channel')::int AS channel, input->'speech' AS speech,
    jsonb_array_length(result->'words') AS words, result->>'voices' AS "speakerFeatures",
    (input->'speakerBlock'->>'start')::float8 AS "blockStart"`,
);

const BEFORE_FIRST = -1;

/** What is known of all chunks of a job, each of which is done. Few chunks are read in one round trip. */
export class JobChunkResultsReader {
  private firstResults: ChunkResultRow[] | null;
  private firstFeatures: ChunkSpeakerFeaturesRow[] | null;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly jobId: string,
    [features = [], results = [], summaries = []]: unknown[][],
  ) {
    this.firstFeatures = features as ChunkSpeakerFeaturesRow[];
    this.firstResults = results as ChunkResultRow[];
    [this.audioSummary = UNKNOWN_AUDIO_SUMMARY] = summaries as AudioSummary[];
  }

  readonly audioSummary: AudioSummary;

  /** Reads the first ones. */
  static async open(dataSource: DataSource, jobId: string): Promise<JobChunkResultsReader> {
    const values = [jobId, BEFORE_FIRST];
    const rows = await queryInOneRoundTrip(dataSource, [
      { ...SELECT_SPEAKER_FEATURES, values },
      { ...SELECT_RESULTS, values },
      { ...SELECT_AUDIO_SUMMARY, values: [jobId] },
    ]);
    return new JobChunkResultsReader(dataSource, jobId, rows);
  }

  /** In order, without speaker features (`readSpeakerFeatures`). Once. */
  async *streamResults(): AsyncGenerator<ChunkResultRow> {
    const first = this.firstResults ?? [];
    this.firstResults = null;
    yield* this.readPages(SELECT_RESULTS, first);
  }

  /** In order. Once. */
  async readSpeakerFeatures(): Promise<ChunkSpeakerFeaturesRow[]> {
    const first = this.firstFeatures ?? [];
    this.firstFeatures = null;
    const rows: ChunkSpeakerFeaturesRow[] = [];
    for await (const row of this.readPages(SELECT_SPEAKER_FEATURES, first)) rows.push(row);
    return rows;
  }

  private async *readPages<T extends { index: number }>(
    page: PreparedStatement,
    first: T[],
  ): AsyncGenerator<T> {
    let rows = first;
    yield* rows;
    while (rows.length === PAGE_SIZE) {
      const after = rows.at(-1)?.index ?? BEFORE_FIRST;
      rows = await queryPrepared<T>(this.dataSource.manager, page, [this.jobId, after]);
      yield* rows;
    }
  }
}
