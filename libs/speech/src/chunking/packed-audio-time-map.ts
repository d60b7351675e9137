/** Seconds. */
interface TimeSpan {
  start: number;
  end: number;
}

/** A stretch of the file in the audio of a chunk; the audio of the next part follows without a gap. */
export interface PackedAudioSpan {
  /** Seconds from the start of the chunk's audio. */
  audioStart: number;
  /** Start and end are in seconds of the file, from the start of the chunk. */
  start: number;
  end: number;
}

/** Times of words are not more accurate. */
const WORD_TIME_SECONDS = 0.25;

/** Converts times between the audio of a chunk and the file, from the start of the chunk. Without parts both are the same. */
export class PackedAudioTimeMap {
  /** @param parts in order of time; absent for audio without gaps */
  constructor(private readonly parts: readonly PackedAudioSpan[] = []) {}

  /** The part of the file that contains the middle of the span. A span over two parts is cut to it. */
  toFile<T extends TimeSpan>(span: T): T {
    const part = this.partAt((span.start + span.end) / 2);
    if (!part) return span;
    const convert = (second: number): number =>
      Math.min(Math.max(part.start + second - part.audioStart, part.start), part.end);
    return { ...span, start: convert(span.start), end: convert(span.end) };
  }

  /** As `toFile`, but a word ends with the part in which it begins: engines let the last word before a pause last too long. */
  wordToFile<T extends TimeSpan>(word: T): T {
    const part = this.partAt(word.start);
    const end = part ? part.audioStart + part.end - part.start : Infinity;
    const beginsInPart = end - word.start > WORD_TIME_SECONDS;
    return this.toFile(beginsInPart ? { ...word, end: Math.min(word.end, end) } : word);
  }

  /** Spans between the parts are dropped. */
  toAudio(spans: readonly TimeSpan[]): TimeSpan[] {
    if (this.parts.length === 0) return [...spans];
    return this.parts.flatMap((part) =>
      spans
        .map((span) => ({ start: Math.max(span.start, part.start), end: Math.min(span.end, part.end) }))
        .filter(({ start, end }) => end > start)
        .map(({ start, end }) => ({
          start: part.audioStart + start - part.start,
          end: part.audioStart + end - part.start,
        })),
    );
  }

  /** One span for each part that the span is in. */
  splitToFile(span: TimeSpan): TimeSpan[] {
    if (this.parts.length === 0) return [span];
    return this.parts.flatMap((part) => {
      const start = part.start + Math.max(0, span.start - part.audioStart);
      const end = Math.min(part.end, part.start + span.end - part.audioStart);
      return end > start ? [{ start, end }] : [];
    });
  }

  private partAt(second: number): PackedAudioSpan | undefined {
    return this.parts.findLast(({ audioStart }) => audioStart <= second) ?? this.parts[0];
  }
}
