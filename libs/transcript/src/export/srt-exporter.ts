import type { TranscriptDocument } from '../transcript-document.js';
import { formatMillisecondsAsClock } from './format-clock.js';
import { type Cue, listLinesWithDirectionMarks } from './cues/cue.js';
import type { CaptionLayout } from './cues/caption-layout.js';
import { buildCues } from './cues/build-cues.js';
import type { Exporter } from './exporter.js';

export const srtExporter: Exporter = {
  format: 'srt',
  extension: 'srt',
  contentType: 'application/x-subrip; charset=utf-8',
  isText: true,
  render: (document: TranscriptDocument, layout?: CaptionLayout) =>
    Promise.resolve(
      Buffer.from(buildCues(document, { hasSpeakerLabels: true, layout }).map(toBlock).join('\n')),
    ),
};

function toBlock(cue: Cue, index: number): string {
  const times = `${formatMillisecondsAsClock(cue.start, ',')} --> ${formatMillisecondsAsClock(cue.end, ',')}`;
  return `${index + 1}\n${times}\n${listLinesWithDirectionMarks(cue).map(escapeSrt).join('\n')}\n`;
}

/**
 * SubRip has no escapes; players interpret HTML entities and tags, and `{\…}` as positioning. A lone `&` is kept, because some
 * players would show `AT&amp;T`.
 */
function escapeSrt(line: string): string {
  return line
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{\\', '{\u2060\\');
}
