import { z } from 'zod';
import { OpenAiRequestError, type OpenAiResponse } from './openai-client.js';

/** Servers leave out what they do not know, or write null; what is no finite number is not known either. */
const number = z.number().nullish().catch(null);

const word = z.object({
  word: z.string(),
  start: number,
  end: number,
  /** Beyond OpenAI's own; servers around Whisper give it. */
  probability: number,
});

const segment = z.object({
  text: z.string(),
  start: number,
  end: number,
  avg_logprob: number,
  no_speech_prob: number,
  compression_ratio: number,
});

const transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(word).nullish(),
  segments: z.array(segment).nullish(),
});

export type ResponseWord = z.output<typeof word>;
export type ResponseSegment = z.output<typeof segment>;
export type TranscriptionResponse = z.output<typeof transcription>;

/** @throws OpenAiRequestError when it is something else, as from a proxy that answers for the server */
export function parseTranscription({ text, excerpt }: OpenAiResponse): TranscriptionResponse {
  const parsed = transcription.safeParse(parseJson(text, excerpt));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'it';
  throw new OpenAiRequestError(`an answer that is no transcription (${field} is wrong): ${excerpt}`);
}

function parseJson(text: string, excerpt: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OpenAiRequestError(`an answer that is not JSON: ${excerpt}`, null, { cause: error });
  }
}

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
