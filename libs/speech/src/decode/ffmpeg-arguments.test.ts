import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ALLOWED_FFMPEG_AUDIO_DECODERS, ALLOWED_FFMPEG_VIDEO_DECODERS } from './allowed-ffmpeg-decoders.js';
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

it('every decoder for audio of the installed ffmpeg is permitted, and none of a rare video format', () => {
  const listed = execFileSync('ffmpeg', ['-hide_banner', '-decoders'], { encoding: 'utf8' }).split('\n');
  /** Without the legend. */
  const namesOf = (kind: RegExp) =>
    listed.flatMap((line) => (kind.test(line) && !line.includes(' = ') ? line.split(/\s+/).slice(2, 3) : []));
  const [audio, others] = [namesOf(/^ A[F.]/), namesOf(/^ [VS][F.]/)];
  expect(audio.length).toBeGreaterThan(100);
  expect(audio.filter((name) => !ALLOWED_FFMPEG_AUDIO_DECODERS.includes(name))).toEqual([]);
  expect(others).toContain('magicyuv');
  expect(others.filter((name) => ALLOWED_FFMPEG_AUDIO_DECODERS.includes(name))).toEqual([]);
  expect(ALLOWED_FFMPEG_VIDEO_DECODERS).not.toContain('magicyuv');
  const args = buildFfmpegArguments('/x');
  expect(args[args.indexOf('-codec_whitelist') + 1]?.split(',')).toEqual([
    ...ALLOWED_FFMPEG_AUDIO_DECODERS,
    ...ALLOWED_FFMPEG_VIDEO_DECODERS,
  ]);
});

it('the ffmpeg that the image builds has each format, encoder and filter that the service uses', async () => {
  const root = new URL('../../../../', import.meta.url);
  const read = (path: string) => readFile(new URL(path, root), 'utf8');
  const script = await read('deploy/image/build-ffmpeg.sh');
  const users = [
    'decode/ffmpeg-arguments',
    'engine/pocketsphinx/denoise',
    'engine/openai/encode-wav-file-as-flac',
  ];
  const sources = (await Promise.all(users.map((user) => read(`libs/speech/src/${user}.ts`)))).join('\n');
  for (const [kind, pattern, atLeast] of [
    ['muxer', /'-f', '(\w+)'/g, 3],
    ['encoder', /'-c:a', '(\w+)'/g, 3],
    ['filter', /[`,](a[a-z]+)=/g, 7],
  ] as const) {
    const used = [...sources.matchAll(pattern)].map(([, name]) => (name === 's16le' ? 'pcm_s16le' : name));
    expect(used.length, kind).toBeGreaterThanOrEqual(atLeast);
    const built = new RegExp(` --enable-${kind}=([\\w,]+)`).exec(script)?.[1]?.split(',') ?? [];
    expect(built, kind).toEqual(expect.arrayContaining(used));
  }
});
