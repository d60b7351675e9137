import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';

/** `SPEAKER_n` -> name. Labels that are not there have no name. */
export type SpeakerNames = Readonly<Record<string, string>>;

/**
 * The document with exactly these names beside its labels: ones that it held before are gone, and labels that are not
 * of this document are passed over. Documents that were stored before there were names get the field as well.
 */
export function withSpeakerNames(document: TranscriptDocument, names: SpeakerNames): TranscriptDocument {
  const speakers = document.speakers.map(({ id, duration }) => ({
    id,
    name: Object.hasOwn(names, id) ? (names[id] ?? null) : null,
    duration,
  }));
  return { ...document, speakers };
}

/**
 * The segments as a reader is to see them: under the speakers' names where they have one. Two labels of one name
 * become one voice, which is what whoever named them says they are.
 */
export function withNamedSpeakers({ segments, speakers }: TranscriptDocument): readonly TranscriptSegment[] {
  const names = new Map(speakers.flatMap(({ id, name }) => (name == null ? [] : [[id, name]])));
  if (names.size === 0) return segments;
  return segments.map((segment) => {
    const name = names.get(segment.speaker ?? '');
    return name === undefined ? segment : { ...segment, speaker: name };
  });
}
