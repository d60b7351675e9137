import { getSpeakerName, type TranscriptDocument } from './transcript-document.ts';

/** Corrected texts by the index of their segment. */
export type CorrectedTextBySegment = ReadonlyMap<number, string>;

const CHINESE_OR_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3099\u309a\u30fc\uff70]/u;
/** Chinese and Japanese marks, which bring a space of their own. */
const WIDE_MARK = /[\u3000-\u3004\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u;

/** The text as people read it: corrected, with a line for each turn of a speaker. */
export function renderPlainText(document: TranscriptDocument, corrections: CorrectedTextBySegment): string {
  const turns: string[] = [];
  let speaker: string | null | undefined;
  let previousText = '';
  for (const [index, segment] of document.segments.entries()) {
    const text = corrections.get(index) ?? segment.text;
    if (segment.speaker === speaker) {
      turns.push(`${turns.pop() ?? ''}${needsSpaceBetween(previousText, text) ? ' ' : ''}${text}`);
    } else {
      speaker = segment.speaker;
      const name = getSpeakerName(document, speaker);
      turns.push(name === null ? text : `${name}: ${text}`);
    }
    previousText = text;
  }
  return turns.join('\n\n');
}

/** Chinese and Japanese have no space between sentences. The rule is that of the exported files. */
function needsSpaceBetween(left: string, right: string): boolean {
  const [last = '', first = ''] = [Array.from(left.slice(-2)).at(-1), Array.from(right.slice(0, 2))[0]];
  if (WIDE_MARK.test(last) || WIDE_MARK.test(first)) return false;
  return !(CHINESE_OR_JAPANESE.test(last) && CHINESE_OR_JAPANESE.test(first));
}
