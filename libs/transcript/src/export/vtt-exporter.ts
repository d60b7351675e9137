import type { TranscriptDocument } from '../transcript-document.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { formatMillisecondsAsClock } from './format-clock.js';
import { type Cue, listLinesWithDirectionMarks } from './cues/cue.js';
import type { CaptionLayout } from './cues/caption-layout.js';
import { buildCues } from './cues/build-cues.js';
import type { Exporter } from './exporter.js';

/** Has a voice span in each cue whose speaker is known. */
export const vttExporter: Exporter = {
  format: 'vtt',
  extension: 'vtt',
  contentType: 'text/vtt; charset=utf-8',
  isText: true,
  render: (document: TranscriptDocument, layout?: CaptionLayout) =>
    Promise.resolve(
      Buffer.from(
        ['WEBVTT\n', ...buildCues(document, { hasSpeakerLabels: false, layout }).map(toBlock)].join('\n'),
      ),
    ),
};

function toBlock(cue: Cue, index: number): string {
  const { start, end, speaker } = cue;
  const times = `${formatMillisecondsAsClock(start, '.')} --> ${formatMillisecondsAsClock(end, '.')}`;
  const text = listLinesWithDirectionMarks(cue).map(escapeVtt).join('\n');
  return `${index + 1}\n${times}\n${speaker === null ? text : `<v ${escapeVtt(sanitizeToSingleLine(speaker))}>${text}</v>`}\n`;
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
