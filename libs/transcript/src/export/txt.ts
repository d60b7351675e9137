import type { TranscriptDocument, TranscriptSegment } from '../document.js';
import { shownSegments } from '../speakers/names.js';
import { cleanText } from '../text/clean.js';
import { clockSeconds } from './clock.js';
import type { Exporter } from './exporter.js';

/**
 * Reading text: a paragraph a segment, `[00:01:07] SPEAKER_1: Good morning.`, blank lines between.
 * Nothing stands before or after the transcript; an empty one is an empty file.
 */
export const txtExporter: Exporter = {
  format: 'txt',
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.from(toPlainText(document))),
};

function toPlainText(document: TranscriptDocument): string {
  const paragraphs = shownSegments(document).map(toParagraph);
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`;
}

function toParagraph({ start, speaker, text }: TranscriptSegment): string {
  const voice = speaker === null ? '' : ` ${cleanText(speaker)}:`;
  return `[${clockSeconds(start)}]${voice} ${cleanText(text)}`;
}
