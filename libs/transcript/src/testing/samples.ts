import type { AssemblyInput, ChunkWord, TranscribedChunk } from '../assemble/assembly-input.js';
import { SCHEMA_VERSION, type TranscriptDocument, type TranscriptSegment } from '../transcript-document.js';

const WORD_SECONDS = 0.3;
const GAP_SECONDS = 0.05;

/**
 * Words one after another from a line of text: each 0.3 s long, 0.05 s apart. `(0.8)` between words is that much silence.
 * @param start seconds on the chunk's clock
 */
export function wordsFromLine(line: string, start = 0): ChunkWord[] {
  const words: ChunkWord[] = [];
  let at = start;
  for (const token of line.split(' ').filter((part) => part !== '')) {
    const silence = /^\((\d+(?:\.\d+)?)\)$/.exec(token)?.[1];
    if (silence !== undefined) {
      at += Number(silence) - GAP_SECONDS;
      continue;
    }
    words.push({ text: token, start: at, end: at + WORD_SECONDS, confidence: 0.9, language: null });
    at += WORD_SECONDS + GAP_SECONDS;
  }
  return words;
}

export function buildChunk(
  words: readonly ChunkWord[],
  more: Partial<TranscribedChunk> = {},
): TranscribedChunk {
  return { index: 0, start: 0, end: 600, language: 'en', words, ...more };
}

export interface AssemblyInputOverrides extends Omit<Partial<AssemblyInput>, 'options'> {
  options?: Partial<AssemblyInput['options']>;
}

export function buildAssemblyInput(
  chunks: readonly TranscribedChunk[],
  { options, ...more }: AssemblyInputOverrides = {},
): AssemblyInput {
  return {
    jobId: '0192f0c1-0000-7000-8000-000000000001',
    createdAt: '2026-01-02T03:04:05.000000Z',
    model: 'zephyr',
    engine: { name: 'test', model: null, version: null },
    duration: 600,
    punctuated: false,
    turns: null,
    warnings: [],
    credits: null,
    chunks,
    ...more,
    options: { word_timestamps: true, speaker_labels: false, nltk: true, ...options },
  };
}

/** The document with the voices of its segments listed, the first under the first of the names, and so on. */
export function addNamedSpeakers(document: TranscriptDocument, ...names: string[]): TranscriptDocument {
  const ids = new Set(document.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])));
  const speakers = [...ids]
    .toSorted()
    .map((id, at) => ({ id, name: names[at] ?? null, duration: 1, channel: null }));
  return { ...document, speakers };
}

/** A document with these segments; only what an exporter reads has to be told. */
export function buildDocument(
  segments: readonly Partial<TranscriptSegment>[],
  duration = 600,
): TranscriptDocument {
  return {
    job_id: '0192f0c1-0000-7000-8000-000000000001',
    schema_version: SCHEMA_VERSION,
    created_at: '2026-01-02T03:04:05.000000Z',
    model: 'zephyr',
    engine: { name: 'test', model: null, version: null },
    duration,
    language: 'en',
    languages: ['en'],
    confidence: null,
    text: segments.map((segment) => segment.text).join(' '),
    speakers: [],
    segments: segments.map((segment, id) => ({
      id,
      start: 0,
      end: 1,
      text: '',
      language: 'en',
      speaker: null,
      channel: null,
      confidence: null,
      words: null,
      ...segment,
    })),
    turns: [],
    paragraphs: [],
    warnings: [],
    options: {},
    usage: { seconds: duration, credits: null },
  };
}
