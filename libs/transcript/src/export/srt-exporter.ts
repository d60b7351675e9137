import type { TranscriptDocument } from '../transcript-document.js';
import { formatClockMillis } from './format-clock.js';
import type { Cue } from './cues/cue.js';
import { buildCues } from './cues/build-cues.js';
import { addDirectionMarks } from './cues/add-direction-marks.js';
import type { Exporter } from './exporter.js';

/** SubRip. Who speaks is written into the text where the voice changes. */
export const srtExporter: Exporter = {
  format: 'srt',
  extension: 'srt',
  contentType: 'application/x-subrip; charset=utf-8',
  render: (document: TranscriptDocument) =>
    Promise.resolve(Buffer.from(buildCues(document, { labels: true }).map(toBlock).join('\n'))),
};

function toBlock(cue: Cue, index: number): string {
  const times = `${formatClockMillis(cue.start, ',')} --> ${formatClockMillis(cue.end, ',')}`;
  return `${index + 1}\n${times}\n${addDirectionMarks(cue).map(escapeSrt).join('\n')}\n`;
}

/**
 * SubRip has no escapes of its own; players read HTML entities and tags, and `{\…}` as positioning.
 * A lone `&` stays, since some players would show `AT&amp;T` as written.
 */
function escapeSrt(line: string): string {
  return line
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{\\', '{\u2060\\');
}
