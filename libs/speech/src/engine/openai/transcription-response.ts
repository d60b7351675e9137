import { z } from 'zod';
import { type OpenAiResponse, OpenAiRequestError } from './openai-client.js';

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
