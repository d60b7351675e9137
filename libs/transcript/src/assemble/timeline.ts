import type { PunctuationMark } from '../sentences/punctuation-marks.js';
import { cleanText } from '../text/clean-text.js';
import type { ChunkWord, TranscribedChunk } from './assembly-input.js';
import { clamp } from './numbers.js';

/** A word on the file's clock, in seconds. */
export interface TimelineWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
  language: string | null;
  /** What a punctuation model sets after the word, null for nothing; undefined where none has looked at it. */
  mark: PunctuationMark | null | undefined;
  /** Index of the chunk it was heard in. */
  chunk: number;
  /** As numbered for the transcript; null until it is, and where nobody's voice is near. */
  speaker: string | null;
}

interface Span {
  start: number;
  end: number;
}

/**
 * All words of all chunks in the order of the file: every word once, `0 <= start <= end <= duration`,
 * no word beginning before the one ahead of it has ended. An engine's own word order is kept within a chunk.
 *
 * Chunks can be let go when they are added: of a long file there is no room for its words twice.
 */
export class Timeline {
  readonly words: TimelineWord[] = [];
  /** By the index of the chunk, where voice activity was found, on the file's clock; without chunks nobody looked at. */
  readonly speech = new Map<number, Span[]>();

  /** @param duration seconds of the file */
  constructor(private readonly duration: number) {}

  /** @param chunk later in the file than all that were added before */
  add(chunk: TranscribedChunk): void {
    for (const word of chunk.words) {
      const text = cleanText(word.text);
      if (text !== '') this.push(toTimelineWord(text, word, chunk, this.duration));
    }
    const { index, start: offset, speech } = chunk;
    if (speech)
      this.speech.set(
        index,
        speech.map(({ start, end }) => ({ start: offset + start, end: offset + end })),
      );
  }

  private push(word: TimelineWord): void {
    const previous = this.words.at(-1);
    word.start = Math.max(word.start, previous?.start ?? 0);
    word.end = Math.max(word.end, word.start);
    if (previous && previous.end > word.start) previous.end = word.start;
    this.words.push(word);
  }
}

/** The timeline of chunks in any order; of two with the same index the first counts. */
export function mergeChunks(chunks: readonly TranscribedChunk[], duration: number): Timeline {
  const timeline = new Timeline(duration);
  for (const chunk of sortChunks(chunks)) timeline.add(chunk);
  return timeline;
}

function sortChunks(chunks: readonly TranscribedChunk[]): TranscribedChunk[] {
  const byIndex = new Map<number, TranscribedChunk>();
  for (const chunk of chunks) if (!byIndex.has(chunk.index)) byIndex.set(chunk.index, chunk);
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** An engine's times may run past its chunk by a frame or be missing: they stay inside chunk and file. */
function toTimelineWord(
  text: string,
  word: ChunkWord,
  chunk: TranscribedChunk,
  duration: number,
): TimelineWord {
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
    mark: word.mark,
    chunk: chunk.index,
    speaker: null,
  };
}
