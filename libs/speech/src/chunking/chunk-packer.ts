import { SAMPLE_RATE } from '../wav/pcm.js';
import type { PackedAudioSpan } from './packed-audio-time-map.js';
import type { SpeechSpan } from './speech-timeline.js';

/** A stretch of the file, with the silence that is kept around its speech. */
export interface AudioPieceWithSpeechSpans {
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  samples: Int16Array;
  /** Seconds from the start of the piece. */
  speech: SpeechSpan[];
}

export interface PackedChunk extends AudioPieceWithSpeechSpans {
  /** Absent if the audio has no gaps. */
  parts?: PackedAudioSpan[];
}

/** Longest stretch of the file in one chunk, so that its parts have the same speakers and surroundings. */
const MAX_SPAN_SECONDS = 300;

/** Joins short pieces to chunks of at most `maxSeconds` of audio; holds at most one chunk. */
export class ChunkPacker {
  private pieces: AudioPieceWithSpeechSpans[] = [];

  /** @param maxSeconds 0: every piece is a chunk */
  constructor(private readonly maxSeconds: number) {}

  /** Returns the chunk that the piece does not fit into, if any. */
  push(piece: AudioPieceWithSpeechSpans): PackedChunk[] {
    if (this.fits(piece)) {
      this.pieces.push(piece);
      return [];
    }
    const full = this.flush();
    this.pieces = [piece];
    return this.maxSeconds > 0 ? full : this.flush();
  }

  flush(): PackedChunk[] {
    const [first, ...others] = this.pieces;
    this.pieces = [];
    if (!first) return [];
    return [others.length === 0 ? first : joinPieces(first, [first, ...others])];
  }

  private fits(piece: AudioPieceWithSpeechSpans): boolean {
    const [first] = this.pieces;
    if (!first) return false;
    const samples = this.pieces.reduce((sum, one) => sum + one.samples.length, piece.samples.length);
    return samples <= this.maxSeconds * SAMPLE_RATE && piece.end - first.start <= MAX_SPAN_SECONDS;
  }
}

function joinPieces(
  first: AudioPieceWithSpeechSpans,
  pieces: readonly AudioPieceWithSpeechSpans[],
): PackedChunk {
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.samples.length, 0));
  const parts: PackedAudioSpan[] = [];
  const speech: SpeechSpan[] = [];
  let at = 0;
  let end = first.end;
  for (const piece of pieces) {
    const offset = piece.start - first.start;
    samples.set(piece.samples, at);
    parts.push({ audioStart: at / SAMPLE_RATE, start: offset, end: piece.end - first.start });
    for (const span of piece.speech) speech.push({ start: offset + span.start, end: offset + span.end });
    at += piece.samples.length;
    end = piece.end;
  }
  return { start: first.start, end, samples, speech, parts };
}
