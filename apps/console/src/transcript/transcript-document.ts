import type { ConsoleApiSchema } from '../api/types.ts';

/** The `json` transcript, as far as the console reads it. Times are seconds from the start of the file. */
export interface TranscriptDocument extends Pick<
  ConsoleApiSchema<'TranscriptDocument'>,
  'duration' | 'language' | 'warnings'
> {
  speakers: TranscriptSpeaker[];
  segments: TranscriptSegment[];
}

export type TranscriptSpeaker = Pick<ConsoleApiSchema<'TranscriptSpeaker'>, 'id' | 'name'>;

export interface TranscriptSegment extends Pick<
  ConsoleApiSchema<'TranscriptSegment'>,
  'id' | 'start' | 'end' | 'text' | 'language' | 'speaker'
> {
  words: TranscriptWord[] | null;
}

export type TranscriptWord = Pick<
  ConsoleApiSchema<'TranscriptWord'>,
  'word' | 'start' | 'end' | 'confidence'
>;

/** `SPEAKER_2` as “Speaker 2”, unless the account gave a name. */
export function getSpeakerName(document: TranscriptDocument, id: string | null): string | null {
  if (id === null) return null;
  const name = document.speakers.find((speaker) => speaker.id === id)?.name;
  return name ?? describeSpeakerLabel(id);
}

/** `SPEAKER_2` as “Speaker 2”. */
export function describeSpeakerLabel(id: string): string {
  return id.replace(/^SPEAKER_/, 'Speaker ');
}
