import { resolve } from 'node:path';
import { ALLOWED_FFMPEG_AUDIO_DECODERS, ALLOWED_FFMPEG_VIDEO_DECODERS } from './allowed-ffmpeg-decoders.js';
import { MAX_GAP_SECONDS } from './audio-gap-tracker.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** Containers and raw streams with embedded audio. */
const MEDIA_FORMATS = [
  ['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'sox', 'nistsphere'],
  ['mp3', 'aac', 'flac', 'ogg', 'ape', 'tta', 'wv', 'mpc', 'mpc8', 'dsf', 'shn', 'oma'],
  ['ac3', 'eac3', 'dts', 'truehd', 'amr', 'amrnb', 'amrwb', 'gsm'],
  ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm'],
  ['avi', 'asf', 'flv', 'mpeg', 'mpegts', 'mxf', 'nut', 'rm', 'dv'],
];

/**
 * The only formats that ffmpeg may detect. Excluded on purpose: playlists and manifests (they reference other files and
 * URLs), session descriptions, image sequences, scripts and devices.
 */
export const FORMAT_WHITELIST = MEDIA_FORMATS.flat().join(',');

/** Rejects headers that declare a tiny rate, by which a few bytes would decode to hours of audio. */
const MIN_SAMPLE_RATE = 4000;

const MONO_OR_STEREO = 'channel_layouts=mono|stereo';

/**
 * Makes timestamps monotonic, for example in concatenated recordings whose clock restarts. Late starts and gaps are kept.
 * Register 0 holds the end of the audio so far. Where rate or channels of a recording change, ffmpeg starts all filters again:
 * the first timestamp of each start is kept, and `AudioGapTracker` knows what was before.
 */
const MONOTONIC_TIMESTAMPS = [
  `st(1,if(not(N)+lt(PTS-ld(0),${MAX_GAP_SECONDS}/TB),max(PTS,ld(0)),ld(0)))`,
  'st(0,ld(1)+NB_SAMPLES/SR/TB)',
  'ld(1)',
].join(';');

/** Resamples any audio to 16 kHz. Stereo is kept for `StereoDownmixer`; other layouts become mono or stereo. */
function buildFilterChain(bassLevel: number): string {
  return [
    `aselect='gte(sample_rate,${MIN_SAMPLE_RATE})'`,
    `aresample=${SAMPLE_RATE}:lfe_mix_level=${bassLevel}`,
    `aformat=sample_fmts=s16:${MONO_OR_STEREO}`,
    `asetpts='${MONOTONIC_TIMESTAMPS}'`,
    // Mixes surround sound, which is stereo until here, to mono.
    'aresample',
    // Repeated, because ffmpeg fails on surround sound if the last filter leaves the layout open.
    `aformat=${MONO_OR_STEREO}`,
  ].join(',');
}

/** Without the bass channel (LFE) of surround sound, which has no speech. */
export const FFMPEG_AUDIO_FILTER_CHAIN = buildFilterChain(0);

/** Arguments for decoding the first audio stream of a local file to Matroska: PCM of 16 kHz, 16 bit, mono or stereo. */
export function buildFfmpegArguments(path: string, { mixesBass = false } = {}): string[] {
  const filters = mixesBass ? buildFilterChain(1) : FFMPEG_AUDIO_FILTER_CHAIN;
  return [
    ...['-nostdin', '-hide_banner', '-nostats', '-v', 'level+info', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', FORMAT_WHITELIST],
    ...['-codec_whitelist', [...ALLOWED_FFMPEG_AUDIO_DECODERS, ...ALLOWED_FFMPEG_VIDEO_DECODERS].join(',')],
    // An absolute path with a protocol cannot be parsed as a flag or a URL.
    ...['-i', `file:${resolve(path)}`],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-filter_threads', '1', '-af', filters],
    ...['-ar', String(SAMPLE_RATE), '-c:a', 'pcm_s16le', '-map_metadata', '-1', '-map_chapters', '-1'],
    // Unlike WAV, it has the times of the samples.
    ...['-bitexact', '-f', 'matroska', '-write_crc32', '0'],
    // Write whole blocks: packets are many and small.
    ...['-flush_packets', '0', 'pipe:1'],
  ];
}
