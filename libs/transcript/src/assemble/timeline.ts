import type { PunctuationMark } from '../sentences/punctuation-marks.js';
import type { RedactionKind } from '../redact/redaction-kinds.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import type { ChunkWord, TranscribedChunk } from './assembly-input.js';
import { clamp } from './numbers.js';

/** Times in seconds from the start of the file. */
export interface TimelineWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
  language: string | null;
  /** Predicted by a punctuation model, null for none; undefined without a prediction. */
  mark: PunctuationMark | null | undefined;
  /** The times are not measured. */
  estimated: boolean;
  /** The word follows a space between phrases of a script that has none between words. */
  spaceBefore: boolean;
  chunk: number;
  /** From 1; null if the channels were not transcribed apart. */
  channel: number | null;
  /** `SPEAKER_1`, …; null until speakers are assigned, and if no turn is near. */
  speaker: string | null;
  /** What the text stands for, if it was redacted. */
  redacted: RedactionKind | null;
}

interface Span {
  start: number;
  end: number;
}

/**
 * The words of a file, or of one of its channels. They are in order, `0 <= start <= end <= duration`, not overlapping; within a chunk in the engine's order. Chunks
 * may be freed once they are added.
 */
export class WordTimeline {
  readonly words: TimelineWord[] = [];
  /** Detected speech by chunk index, in seconds from the start of the file; only with voice activity detection. */
  readonly speech = new Map<number, Span[]>();

  /** @param duration seconds of the file @param channel from 1; null if the channels were not transcribed apart */
  constructor(
    private readonly duration: number,
    readonly channel: number | null = null,
  ) {}

  /** @param chunk later in the file than all that were added before */
  add(chunk: TranscribedChunk): void {
    for (const word of chunk.words) {
      const text = sanitizeToSingleLine(word.text);
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

/** @param chunks of one channel, in any order; of chunks with the same index the first counts */
export function mergeChunksIntoTimeline(chunks: readonly TranscribedChunk[], duration: number): WordTimeline {
  const timeline = new WordTimeline(duration);
  for (const chunk of sortChunks(chunks)) timeline.add(chunk);
  return timeline;
}

/** The timelines of a file by channel: one, unless its channels were transcribed apart. */
export class ChannelWordTimelines {
  private readonly timelines = new Map<number | null, WordTimeline>();

  /** @param duration seconds of the file */
  constructor(private readonly duration: number) {}

  /** @param chunk later in its channel than all that were added before */
  add(chunk: TranscribedChunk): void {
    const channel = chunk.channel ?? null;
    const timeline = this.timelines.get(channel) ?? new WordTimeline(this.duration, channel);
    this.timelines.set(channel, timeline);
    timeline.add(chunk);
  }

  get all(): WordTimeline[] {
    return [...this.timelines.values()];
  }
}

/** @param chunks in any order; of chunks with the same index the first counts */
export function mergeChunksIntoChannelTimelines(
  chunks: readonly TranscribedChunk[],
  duration: number,
): WordTimeline[] {
  const timelines = new ChannelWordTimelines(duration);
  for (const chunk of sortChunks(chunks)) timelines.add(chunk);
  return timelines.all;
}

function sortChunks(chunks: readonly TranscribedChunk[]): TranscribedChunk[] {
  const byIndex = new Map<number, TranscribedChunk>();
  for (const chunk of chunks) if (!byIndex.has(chunk.index)) byIndex.set(chunk.index, chunk);
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** An engine may exceed the chunk by a frame, or report no times. */
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
    estimated: word.estimated === true,
    spaceBefore: word.spaceBefore === true,
    chunk: chunk.index,
    channel: chunk.channel ?? null,
    speaker: null,
    redacted: null,
  };
}
