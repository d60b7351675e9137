import type { TranscriptDocument } from '../document.js';
import { clockMillis } from './clock.js';
import type { Cue } from './cues/cue.js';
import { buildCues } from './cues/cues.js';
import { directLines } from './cues/direct.js';
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
  const times = `${clockMillis(cue.start, ',')} --> ${clockMillis(cue.end, ',')}`;
  return `${index + 1}\n${times}\n${directLines(cue).map(escapeSrt).join('\n')}\n`;
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
