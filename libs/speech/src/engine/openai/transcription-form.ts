import { FormData } from 'undici';

/** What a server is asked for, the most first. Not every server can tell the times of words, or any times. */
export const TIMESTAMP_GRANULARITIES = ['word', 'segment', 'text'] as const;
export type TimestampGranularity = (typeof TIMESTAMP_GRANULARITIES)[number];

export interface TranscriptionFormFields {
  model: string;
  /** A WAV file. */
  audio: Buffer;
  granularity: TimestampGranularity;
  /** What the server is to have in mind; empty for nothing. */
  prompt: string;
}

/** The form of `/audio/transcriptions`. */
export function buildTranscriptionForm({
  model,
  audio,
  granularity: detail,
  prompt,
}: TranscriptionFormFields): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(audio)], { type: 'audio/wav' }), 'chunk.wav');
  form.set('model', model);
  form.set('temperature', '0');
  form.set('response_format', detail === 'text' ? 'json' : 'verbose_json');
  if (detail === 'word') form.append('timestamp_granularities[]', 'word');
  if (detail !== 'text') form.append('timestamp_granularities[]', 'segment');
  if (prompt !== '') form.set('prompt', prompt);
  return form;
}
