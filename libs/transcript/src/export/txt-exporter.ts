import type { TranscriptDocument } from '../transcript-document.js';
import { LEFT_TO_RIGHT_MARK, RIGHT_TO_LEFT_MARK, startsRightToLeft } from './text-direction.js';
import type { Exporter } from './exporter.js';
import { type Paragraph, buildParagraphs } from './paragraphs.js';

/**
 * Plain text: `[00:01:07] SPEAKER_1: Good morning. How are you?`, one line per paragraph, blank lines between them. An empty
 * transcript is an empty file.
 */
export const txtExporter: Exporter = {
  format: 'txt',
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  isText: true,
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.from(toPlainText(document))),
};

function toPlainText(document: TranscriptDocument): string {
  const paragraphs = buildParagraphs(document).map(toLine);
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`;
}

/** Editors display a line in the direction of its first letter; a mark corrects it if the text has the other direction. */
function toLine({ time, speaker, text, rightToLeft }: Paragraph): string {
  const line = speaker === null ? text : `${speaker}: ${text}`;
  const mark = rightToLeft ? RIGHT_TO_LEFT_MARK : LEFT_TO_RIGHT_MARK;
  return `[${time}] ${startsRightToLeft(line) === rightToLeft ? '' : mark}${line}`;
}
