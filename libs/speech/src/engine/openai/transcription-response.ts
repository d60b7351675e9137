import { z } from 'zod';
import {
  OpenAiRequestError,
  type OpenAiResponse,
  toExcerptWithoutControlCharacters,
} from './openai-client.js';

/** Servers omit unknown values or write null; some write numbers as text. Invalid numbers count as unknown. */
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .nullish()
  .catch(null);

/** Some servers write a whole number (-1, 0) for none; a mean over tokens never is one. */
const logProbability = number.transform((value) => (Number.isInteger(value) ? null : value)).nullish();

/** Some servers write 0 or -1 for none. */
const probability = number
  .transform((value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : null))
  .nullish();

const word = z
  .object({
    word: z.string().optional(),
    /** The name of `word` in LocalAI. */
    text: z.string().optional(),
    start: number,
    end: number,
    /** An extension of servers around Whisper. */
    probability,
  })
  .transform(({ text, word: written = text, ...rest }, context) => {
    if (written === undefined) context.addIssue('the word is missing');
    return { word: written ?? '', ...rest };
  });

const segment = z.object({
  text: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  start: number,
  end: number,
  avg_logprob: logProbability,
  no_speech_prob: number,
  compression_ratio: number,
  /** Words or tokens; whisper.cpp and others list them here instead of beside the segments. */
  words: z.array(word).nullish().catch(null),
});

const transcription = z
  .object({
    text: z.string().nullish(),
    language: z.string().nullish().catch(null),
    words: z.array(word).nullish().catch(null),
    segments: z.array(segment).nullish().catch(null),
    /** Some servers answer 200 to what failed. */
    error: z.unknown().optional(),
  })
  .transform(({ text, error, ...rest }, context) => {
    const written = text ?? joinListedText(rest);
    if (written === null) context.addIssue('the text is missing');
    if (error && !written?.trim()) context.addIssue('it is an error');
    return { text: written ?? '', ...rest };
  });

/** Null if nothing is listed; an empty list is one of no words. */
function joinListedText({
  segments,
  words,
}: {
  segments?: ResponseSegment[] | null | undefined;
  words?: ResponseWord[] | null | undefined;
}): string | null {
  const texts = segments?.map(({ text }) => text) ?? words?.map((listed) => listed.word) ?? null;
  return texts?.map((text) => text.trim()).join(' ') ?? null;
}

export type ResponseWord = z.output<typeof word>;
export type ResponseSegment = z.output<typeof segment>;
export type TranscriptionResponse = z.output<typeof transcription>;

/** @throws OpenAiRequestError when the body is no transcription, for example that of a proxy */
export function parseTranscriptionResponse(response: OpenAiResponse): TranscriptionResponse {
  const body = parseJson(response);
  const parsed = transcription.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'it';
  throw new OpenAiRequestError(
    `a response that is no transcription (${field} is invalid): ${describeJson(body, response)}`,
  );
}

const ERROR_FIELDS = new Set(['error', 'code', 'detail', 'message', 'status', 'type']);

/** Names of fields, because their values may be what was said. An error is shown. */
function describeJson(body: unknown, { excerpt }: OpenAiResponse): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'no object';
  const names = Object.keys(body);
  if (names.length > 0 && names.every((name) => ERROR_FIELDS.has(name))) return excerpt;
  return `an object with the fields ${toExcerptWithoutControlCharacters(names.join(', ')) || '(none)'}`;
}

/**
 * Python writes numbers that JSON does not have. The first alternative skips what is within text, also of text that is cut off: the
 * search would start again at each of its quotes otherwise.
 */
const TEXT_OR_NO_NUMBER = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g;

const PAGE_OF_PROXY = /^\s*<(?:!doctype|html|head|body|\?xml)/i;

function parseJson({ text, excerpt }: OpenAiResponse): unknown {
  try {
    const valid = text
      .replace(/^\uFEFF/, '')
      .replaceAll(TEXT_OR_NO_NUMBER, (part) => (part.startsWith('"') ? part : 'null'));
    return JSON.parse(valid);
  } catch (error) {
    // Other text than a page of a proxy may be what was said, which the log must not have.
    const shown = PAGE_OF_PROXY.test(text) ? excerpt : `${text.length} characters`;
    throw new OpenAiRequestError(`a response that is not JSON: ${shown}`, null, { cause: error });
  }
}

/** Thresholds of Whisper's own programs. */
const MIN_NO_SPEECH_PROBABILITY = 0.6;
const MAX_LOG_PROBABILITY = -1;
const MIN_COMPRESSION_RATIO = 2.4;

/** Two of the three values decide, because soft speech scores low and people repeat themselves. */
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

/** Geometric mean of the token probabilities, 0 to 1. Null without a value. */
export function computeSegmentConfidence({ avg_logprob }: ResponseSegment): number | null {
  return typeof avg_logprob === 'number' && avg_logprob < 0 ? Math.exp(avg_logprob) : null;
}
