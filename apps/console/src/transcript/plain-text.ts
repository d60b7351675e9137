import { getSpeakerName, type TranscriptDocument } from './transcript-document.ts';

/** Corrected texts by the index of their segment. */
export type CorrectedTextBySegment = ReadonlyMap<number, string>;

const CHINESE_OR_JAPANESE = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\uff01-\uff65]`;
const ENDS_UNSPACED = new RegExp(`${CHINESE_OR_JAPANESE}$`, 'u');
const STARTS_UNSPACED = new RegExp(`^${CHINESE_OR_JAPANESE}`, 'u');

/** The text as people read it: corrected, with a line for each turn of a speaker. */
export function renderPlainText(document: TranscriptDocument, corrections: CorrectedTextBySegment): string {
  const turns: string[] = [];
  let speaker: string | null | undefined;
  for (const [index, segment] of document.segments.entries()) {
    const text = corrections.get(index) ?? segment.text;
    if (segment.speaker === speaker) {
      turns.push(joinSentences(turns.pop() ?? '', text));
      continue;
    }
    speaker = segment.speaker;
    const name = getSpeakerName(document, speaker);
    turns.push(name === null ? text : `${name}: ${text}`);
  }
  return turns.join('\n\n');
}

/** Chinese and Japanese have no space between sentences. */
function joinSentences(left: string, right: string): string {
  return `${left}${ENDS_UNSPACED.test(left) && STARTS_UNSPACED.test(right) ? '' : ' '}${right}`;
}
