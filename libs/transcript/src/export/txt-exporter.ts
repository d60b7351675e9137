import type { TranscriptDocument } from '../transcript-document.js';
import { LEFT_TO_RIGHT_MARK, RIGHT_TO_LEFT_MARK, startsRightToLeft } from './text-direction.js';
import type { Exporter } from './exporter.js';
import { type Paragraph, buildParagraphs } from './paragraphs.js';

/**
 * Reading text: `[00:01:07] SPEAKER_1: Good morning. How are you?`, blank lines between paragraphs, which are lines of
 * any length. Nothing stands before or after the transcript; an empty one is an empty file.
 */
export const txtExporter: Exporter = {
  format: 'txt',
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.from(toPlainText(document))),
};

function toPlainText(document: TranscriptDocument): string {
  const paragraphs = buildParagraphs(document).map(toLine);
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`;
}

/** Editors turn a line by its first letter: where that is of the other direction than the text, a mark comes first. */
function toLine({ time, speaker, text, rightToLeft }: Paragraph): string {
  const line = speaker === null ? text : `${speaker}: ${text}`;
  const mark = rightToLeft ? RIGHT_TO_LEFT_MARK : LEFT_TO_RIGHT_MARK;
  return `[${time}] ${startsRightToLeft(line) === rightToLeft ? '' : mark}${line}`;
}
