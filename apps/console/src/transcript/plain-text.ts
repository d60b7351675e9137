import { getSpeakerName, type TranscriptDocument } from './transcript-document.ts';

/** Corrected texts by the index of their segment. */
export type CorrectedTextBySegment = ReadonlyMap<number, string>;

/** The text as people read it: corrected, with a line for each turn of a speaker. */
export function renderPlainText(document: TranscriptDocument, corrections: CorrectedTextBySegment): string {
  const turns: string[] = [];
  let speaker: string | null | undefined;
  for (const [index, segment] of document.segments.entries()) {
    const text = corrections.get(index) ?? segment.text;
    if (segment.speaker === speaker) {
      turns.push(`${turns.pop() ?? ''} ${text}`);
      continue;
    }
    speaker = segment.speaker;
    const name = getSpeakerName(document, speaker);
    turns.push(name === null ? text : `${name}: ${text}`);
  }
  return turns.join('\n\n');
}
