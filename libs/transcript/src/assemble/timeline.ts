import type { Mark } from '../sentences/marks.js';
import { cleanText } from '../text/clean.js';
import type { ChunkWord, TranscribedChunk } from './input.js';
import { clamp } from './numbers.js';

/** A word on the file's clock, in seconds. */
export interface FileWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
  language: string | null;
  /** As `ChunkWord` has it. */
  mark?: Mark | null;
  /** Index of the chunk it was heard in. */
  chunk: number;
}

/**
 * All words of all chunks in the order of the file: every word once, `0 <= start <= end <= duration`,
 * no word beginning before the one ahead of it has ended. An engine's own word order is kept within a chunk.
 */
export function mergeChunks(chunks: readonly TranscribedChunk[], duration: number): FileWord[] {
  const words: FileWord[] = [];
  for (const chunk of inOrder(chunks)) {
    for (const word of chunk.words) {
      const text = cleanText(word.text);
      if (text !== '') words.push(place(text, word, chunk, duration));
    }
  }
  untangle(words);
  return words;
}

function inOrder(chunks: readonly TranscribedChunk[]): TranscribedChunk[] {
  const byIndex = new Map<number, TranscribedChunk>();
  for (const chunk of chunks) if (!byIndex.has(chunk.index)) byIndex.set(chunk.index, chunk);
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** An engine's times may run past its chunk by a frame or be missing: they stay inside chunk and file. */
function place(text: string, word: ChunkWord, chunk: TranscribedChunk, duration: number): FileWord {
  const low = clamp(chunk.start, 0, duration);
  const high = clamp(chunk.end, low, duration);
  const start = clamp(chunk.start + (Number.isFinite(word.start) ? word.start : 0), low, high);
  const end = clamp(Number.isFinite(word.end) ? chunk.start + word.end : start, start, high);
  const confidence = word.confidence ?? Number.NaN;
  return {
    text,
    start,
    end,
    confidence: Number.isFinite(confidence) ? clamp(confidence, 0, 1) : null,
    language: word.language ?? chunk.language,
    ...(word.mark !== undefined && { mark: word.mark }),
    chunk: chunk.index,
  };
}

function untangle(words: FileWord[]): void {
  let previous: FileWord | null = null;
  for (const word of words) {
    word.start = Math.max(word.start, previous?.start ?? 0);
    word.end = Math.max(word.end, word.start);
    if (previous && previous.end > word.start) previous.end = word.start;
    previous = word;
  }
}
