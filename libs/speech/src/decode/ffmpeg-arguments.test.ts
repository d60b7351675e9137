import { describe, expect, it } from 'vitest';
import { buildFfmpegArguments, FORMAT_WHITELIST } from './ffmpeg-arguments.js';

function inputOf(path: string): string | undefined {
  const args = buildFfmpegArguments(path);
  return args[args.indexOf('-i') + 1];
}

describe('buildFfmpegArguments', () => {
  it('a path cannot be interpreted as a flag, a URL or another protocol', () => {
    expect(inputOf('/data/x.mp3')).toBe('file:/data/x.mp3');
    for (const path of ['-i', 'http://host/x', 'concat:a|b', 'pipe:0'])
      expect(inputOf(path)).toMatch(/^file:\//);
  });

  it('only the file protocol and formats that cannot reference other files are allowed', () => {
    const args = buildFfmpegArguments('/x');
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
