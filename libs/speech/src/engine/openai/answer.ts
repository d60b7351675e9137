import { z } from 'zod';
import { type ServerAnswer, ServerTrouble } from './server.js';

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

export type ToldWord = z.output<typeof word>;
export type ToldSegment = z.output<typeof segment>;
export type Transcription = z.output<typeof transcription>;

/** @throws ServerTrouble when it is something else, as from a proxy that answers for the server */
export function readTranscription({ text, excerpt }: ServerAnswer): Transcription {
  const parsed = transcription.safeParse(parseJson(text, excerpt));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'it';
  throw new ServerTrouble(`an answer that is no transcription (${field} is wrong): ${excerpt}`);
}

function parseJson(text: string, excerpt: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServerTrouble(`an answer that is not JSON: ${excerpt}`, null, { cause: error });
  }
}
