/** A time, a mark of direction and a speaker without a name, as a transcript in `txt` has them at the start of a line. */
const LINE_PREFIX = /^(?:\[\d{2,}:\d\d:\d\d\] )?[\u200e\u200f]?(?:SPEAKER_\d+: )?/gm;

/** What was said, of a transcript in `txt`. Names that were given to speakers stay: they look like words. */
export function removeTimesAndSpeakerLabels(text: string): string {
  return text.replaceAll(LINE_PREFIX, '');
}
