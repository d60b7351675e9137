import type { ToldSegment } from './answer.js';

/** The bounds at which Whisper's own programs doubt what they heard. */
const LIKELY_SILENCE = 0.6;
const UNSURE = -1;
const REPETITIVE = 2.4;

/**
 * True when the server's own figures say that nobody said this. One alone is not enough: soft speech is unsure, and
 * some people do repeat themselves.
 */
export function isDoubted({ no_speech_prob, avg_logprob, compression_ratio }: ToldSegment): boolean {
  const signs = [
    (no_speech_prob ?? 0) > LIKELY_SILENCE,
    (avg_logprob ?? 0) < UNSURE,
    (compression_ratio ?? 0) > REPETITIVE,
  ];
  return signs.filter(Boolean).length >= 2;
}

/**
 * How sure the server was of the words of a segment, 0 to 1: the mean over its tokens. Null when it does not say; a
 * logarithm of exactly 0 stands for that, as no recogniser is certain.
 */
export function confidenceOf({ avg_logprob }: ToldSegment): number | null {
  return typeof avg_logprob === 'number' && avg_logprob < 0 ? Math.exp(avg_logprob) : null;
}
