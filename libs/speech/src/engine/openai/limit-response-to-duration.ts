import { OpenAiRequestError } from './openai-client.js';
import type { TranscriptionResponse } from './transcription-response.js';

/** Nobody speaks nearly as fast, also if each character or token is listed. */
const MAX_ITEMS_PER_SECOND = 50;
/** The limit is not lower for short chunks. */
const MIN_ITEM_LIMIT = 1000;

/**
 * Drops lists of more words or segments than the chunk can hold. Their times mean nothing, so the text is spread over the speech.
 * @param duration of the chunk, seconds
 */
export function dropExcessiveLists(response: TranscriptionResponse, duration: number): TranscriptionResponse {
  const { text, words, segments } = response;
  const most = Math.max(MIN_ITEM_LIMIT, duration * MAX_ITEMS_PER_SECOND);
  const nested = (segments ?? []).reduce((sum, segment) => sum + (segment.words?.length ?? 0), 0);
  if (Math.max(words?.length ?? 0, segments?.length ?? 0, nested) <= most) return response;
  const listed = segments?.length ? segments.map((segment) => segment.text) : words?.map(({ word }) => word);
  return {
    ...response,
    text: text.trim() === '' ? (listed ?? []).map((each) => each.trim()).join(' ') : text,
    words: null,
    segments: null,
  };
}

/** People speak about 15 characters a second. */
const MAX_CHARACTERS_PER_SECOND = 500;
const MIN_CHARACTER_LIMIT = 200_000;

/**
 * Models can repeat themselves without end, and the work on a megabyte of text would delay all other stages of the process.
 * @param duration of the chunk, seconds @throws OpenAiRequestError
 */
export function assertTextFitsDuration({ text }: TranscriptionResponse, duration: number): void {
  if (text.length > Math.max(MIN_CHARACTER_LIMIT, duration * MAX_CHARACTERS_PER_SECOND))
    throw new OpenAiRequestError(
      `a text of ${text.length} characters for ${Math.round(duration)} s of audio, which nobody can have spoken`,
    );
}
