import { describe, expect, it } from 'vitest';
import { FfmpegLogParser } from './ffmpeg-log-parser.js';

const INPUT = `[info] Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:/x':
[info]   Metadata:
[info]     title           : a secret
[info]                     :   Duration: 99:00:00.00, start: 0.0
[info]   Duration: 01:02:03.50, start: 0.000000, bitrate: 50 kb/s
[info]   Stream #0:0[0x1](und): Audio: aac (LC) (mp4a / 0x6134706D), 16000 Hz, mono, fltp, 50 kb/s (default)
`;
const OUTPUT = `[info] Stream mapping:
[info]   Stream #0:0 -> #0:0 (aac (native) -> pcm_s16le (native))
[info] Output #0, wav, to 'pipe:1':
[info]   Stream #0:0: Audio: pcm_s16le, 16000 Hz, mono, s16, 256 kb/s
`;
const FILM = '[info]   Stream #0:1: Video: mpeg4, yuv420p, 64x48, 5 fps\n';
const COVER = '[info]   Stream #0:1: Video: mjpeg, yuvj420p(pc), 500x500 (attached pic)\n';
const PARTIAL = '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55d0] [error] stream 1, offset 0x9c2: partial file\n';
const GUESSED = '[mp3 @ 0x55d0] [warning] Estimating duration from bitrate, this may be inaccurate\n';

/** What is read of an output that comes in pieces of any length. */
function read(output: string, piece = 7): FfmpegLogParser {
  const log = new FfmpegLogParser();
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += piece) log.push(bytes.subarray(at, at + piece));
  return log;
}

describe('FfmpegLogParser', () => {
  it('retains error messages without level prefixes and no text from the file', () => {
    const log = `bwrap: no room\n${INPUT}${GUESSED}${PARTIAL}[fatal] Stream map '0:a:0' matches no streams.\nTo ignore this\n${OUTPUT}[error] the last`;
    expect(read(log).toString()).toBe(
      `bwrap: no room\n[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55d0] stream 1, offset 0x9c2: partial file
Stream map '0:a:0' matches no streams.\nTo ignore this\nthe last\n`,
    );
    expect(read(PARTIAL.repeat(1_000)).toString().length).toBeLessThanOrEqual(4_096);
  });

  it.each([
    ['', false],
    ['bwrap: Creating new namespace failed: Resource temporarily unavailable\n', false],
    ['ffmpeg: error while loading shared libraries: libavfilter.so.8: failed to map segment\n', false],
    ['sh: 1: ffmpeg: not found\n', false],
    ['[error] file:/x: Invalid data found when processing input\n', true],
    [PARTIAL, true],
    [INPUT, true],
  ])('knows whether ffmpeg itself wrote %j', (output, hasMessages) => {
    for (const piece of [1, 30, 100_000]) expect(read(output, piece).hasMessages).toBe(hasMessages);
  });

  const guess = (stream: number, layout: string) =>
    `[warning] Guessed Channel Layout for Input Stream #0.${stream} : ${layout}\n`;
  it.each([
    ['a guessed layout with a bass channel', guess(0, '2.1') + INPUT, true],
    ['one of a stream without an id', guess(0, '2.1') + INPUT.replace('[0x1](und)', ''), true],
    ['one of eight channels', guess(0, '7.1') + INPUT, true],
    [
      'one of a newer version',
      `[aist#0:0/pcm_s16le @ 0x55d0] [warning] Guessed Channel Layout: 5.1\n${INPUT}`,
      true,
    ],
    ['a guessed layout without one', guess(0, '4.0') + INPUT, false],
    ['stereo', guess(0, 'stereo') + INPUT, false],
    ['one of another stream', guess(1, '5.1') + INPUT, false],
    [
      'one of the first audio stream after a film',
      guess(1, '5.1') + INPUT.replace('#0:0[0x1]', '#0:1[0x2]'),
      true,
    ],
    ['a declared layout', INPUT.replace('mono', '5.1'), false],
  ])('knows whether a bass channel was guessed: %s', (_, output, hasGuessedBass) => {
    for (const piece of [1, 30, 100_000]) expect(read(output, piece).hasGuessedBass).toBe(hasGuessedBass);
  });

  it.each([
    ['the length of a file with one stream', INPUT + OUTPUT, 3723.5],
    ['a cover is no other stream', INPUT + COVER + OUTPUT, 3723.5],
    ['one that may be that of a longer film is not', INPUT + FILM + OUTPUT, null],
    ['unless the file broke off', INPUT + FILM + OUTPUT + PARTIAL, 3723.5],
    ['an estimate is no declaration', GUESSED + INPUT + OUTPUT, null],
    ['nor is the last time stamp', INPUT.replace('mov,mp4,m4a,3gp,3g2,mj2', 'mpegts') + OUTPUT, null],
    ['no length is known', INPUT.replace('01:02:03.50', 'N/A') + OUTPUT, null],
    ['nothing is said', '', null],
  ])('%s', (_, output, seconds) => {
    for (const piece of [1, 30, 100_000]) expect(read(output, piece).declaredSeconds).toBe(seconds);
  });
});
