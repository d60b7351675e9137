import type { ResponseSegment } from './transcription-response.js';

/** The bounds at which Whisper's own programs doubt what they heard. */
const MIN_NO_SPEECH_PROBABILITY = 0.6;
const MAX_LOG_PROBABILITY = -1;
const MIN_COMPRESSION_RATIO = 2.4;

/**
 * True when the server's own figures say that nobody said this. One alone is not enough: soft speech is unsure, and
 * some people do repeat themselves.
 */
export function isLikelyHallucination({
  no_speech_prob,
  avg_logprob,
  compression_ratio,
}: ResponseSegment): boolean {
  const signs = [
    (no_speech_prob ?? 0) > MIN_NO_SPEECH_PROBABILITY,
    (avg_logprob ?? 0) < MAX_LOG_PROBABILITY,
    (compression_ratio ?? 0) > MIN_COMPRESSION_RATIO,
  ];
  return signs.filter(Boolean).length >= 2;
}

/**
 * How sure the server was of the words of a segment, 0 to 1: the mean over its tokens. Null when it does not say; a
 * logarithm of exactly 0 stands for that, as no recogniser is certain.
 */
export function segmentConfidence({ avg_logprob }: ResponseSegment): number | null {
  return typeof avg_logprob === 'number' && avg_logprob < 0 ? Math.exp(avg_logprob) : null;
}
