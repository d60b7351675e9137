import type { Schema } from '../api/types.ts';

/** The `json` transcript, as far as the console reads it. Times are seconds from the start of the file. */
export interface TranscriptDocument extends Pick<
  Schema<'TranscriptDocument'>,
  'duration' | 'language' | 'warnings'
> {
  speakers: TranscriptSpeaker[];
  segments: TranscriptSegment[];
}

export type TranscriptSpeaker = Pick<Schema<'TranscriptSpeaker'>, 'id' | 'name'>;

export interface TranscriptSegment extends Pick<
  Schema<'TranscriptSegment'>,
  'id' | 'start' | 'end' | 'text' | 'language' | 'speaker'
> {
  words: TranscriptWord[] | null;
}

export type TranscriptWord = Pick<Schema<'TranscriptWord'>, 'word' | 'start' | 'end' | 'confidence'>;

/** `SPEAKER_2` as “Speaker 2”, unless the account gave a name. */
export function nameSpeaker(document: TranscriptDocument, id: string | null): string | null {
  if (id === null) return null;
  const name = document.speakers.find((speaker) => speaker.id === id)?.name;
  return name ?? id.replace(/^SPEAKER_/, 'Speaker ');
}
