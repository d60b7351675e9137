import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';

/** Names of speakers by their labels (`SPEAKER_1`). */
export type SpeakerNames = Readonly<Record<string, string>>;

/** Accepts documents stored before names existed. Ignores names of unknown labels. */
export function replaceSpeakerNames(document: TranscriptDocument, names: SpeakerNames): TranscriptDocument {
  const speakers = document.speakers.map((speaker) => ({
    ...speaker,
    name: Object.hasOwn(names, speaker.id) ? (names[speaker.id] ?? null) : null,
  }));
  return { ...document, speakers };
}

/** A speaker without a name keeps the label. Two labels of one name are one speaker. */
export function buildSegmentsWithSpeakerNames({
  segments,
  speakers,
}: TranscriptDocument): readonly TranscriptSegment[] {
  const names = new Map(speakers.flatMap(({ id, name }) => (name == null ? [] : [[id, name]])));
  if (names.size === 0) return segments;
  return segments.map((segment) => {
    const name = names.get(segment.speaker ?? '');
    return name === undefined ? segment : { ...segment, speaker: name };
  });
}
