import { convertTranscriptionDroppingHallucinations } from '../recognized-words.js';
import type { TranscriptionResponse } from '../transcription-response.js';

export function createResponseWord(
  word: string,
  start?: number | null,
  end?: number | null,
  probability?: number,
) {
  return { word, start, end, probability };
}

export function createSegment(text: string, start: number, end: number, figures: object = {}) {
  return { text, start, end, ...figures };
}

export function createResponse(parts: Partial<TranscriptionResponse>): TranscriptionResponse {
  return { text: '', ...parts };
}

/** The texts of the words of a response. @param duration of the chunk, seconds */
export function listWordTexts(response: TranscriptionResponse, duration = 10): string[] {
  return convertTranscriptionDroppingHallucinations(response, duration).words.map(({ text }) => text);
}

/** Start and end of the words of a response, seconds. @param duration of the chunk, seconds */
export function listWordTimes(response: TranscriptionResponse, duration = 10): number[][] {
  return convertTranscriptionDroppingHallucinations(response, duration).words.map(({ start, end }) => [
    start,
    end,
  ]);
}
