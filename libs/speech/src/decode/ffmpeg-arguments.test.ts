import { describe, expect, it } from 'vitest';
import { ffmpegArguments } from './ffmpeg-arguments.js';
import { FORMAT_WHITELIST } from './formats.js';

function inputOf(path: string): string | undefined {
  const args = ffmpegArguments(path);
  return args[args.indexOf('-i') + 1];
}

describe('ffmpegArguments', () => {
  it('lets no path pass for a flag, an address or another protocol', () => {
    expect(inputOf('/data/x.mp3')).toBe('file:/data/x.mp3');
    for (const path of ['-i', 'http://host/x', 'concat:a|b', 'pipe:0'])
      expect(inputOf(path)).toMatch(/^file:\//);
  });

  it('allows the file protocol only, and no format that names other files', () => {
    const args = ffmpegArguments('/x');
    expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file');
    expect(args[args.indexOf('-format_whitelist') + 1]).toBe(FORMAT_WHITELIST);
    const formats = FORMAT_WHITELIST.split(',');
    for (const bad of [
      'hls',
      'dash',
      'concat',
      'sdp',
      'image2',
      'lavfi',
      'imf',
      'rtsp',
      'webm_dash_manifest',
      'data',
    ]) {
      expect(formats).not.toContain(bad);
    }
  });
});
