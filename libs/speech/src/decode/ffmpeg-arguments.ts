import { resolve } from 'node:path';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** Containers and bare streams that carry sound in themselves. */
const MEDIA_FORMATS = [
  ['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'sox', 'nistsphere'],
  ['mp3', 'aac', 'flac', 'ogg', 'ape', 'tta', 'wv', 'mpc', 'mpc8', 'dsf', 'shn', 'oma'],
  ['ac3', 'eac3', 'dts', 'truehd', 'amr', 'amrnb', 'amrwb', 'gsm'],
  ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm'],
  ['avi', 'asf', 'flv', 'mpeg', 'mpegts', 'mxf', 'nut', 'rm', 'dv'],
];

/**
 * The only formats that the decoder may recognise, whatever a file is called. What is missing is missing on
 * purpose: playlists and manifests (they name other files and addresses), session descriptions, image
 * sequences, scripts and devices.
 */
export const FORMAT_WHITELIST = MEDIA_FORMATS.flat().join(',');

/** Hertz. Below it there is no speech, but a few bytes can claim to be hours of sound. */
const MIN_SAMPLE_RATE = 4000;

/** Seconds. A longer jump of the time stamps is damage, not a pause that somebody recorded. */
const MAX_GAP_SECONDS = 1800;

const ONE_OR_TWO = 'channel_layouts=mono|stereo';

/**
 * Time stamps that never go back: a stream whose clock starts anew (recordings put one behind the other) goes on
 * where it was, while a late start or a gap stays. Register 0 holds the end of the sound so far.
 */
const MONOTONIC_TIMESTAMPS = [
  `st(1,if(lt(PTS-ld(0),${MAX_GAP_SECONDS}/TB),max(PTS,ld(0)),ld(0)))`,
  'st(0,ld(1)+NB_SAMPLES/SR/TB)',
  'ld(1)',
].join(';');

/**
 * The ffmpeg filters that make any sound 16 kHz, with silence for what the stream leaves out. Two channels stay two, for
 * `StereoDownmixer` to look at; any other number becomes one.
 */
export const AUDIO_FILTER = [
  `aselect='gte(sample_rate,${MIN_SAMPLE_RATE})'`,
  // Small samples before gaps are filled: a long gap is held in memory.
  `aresample=${SAMPLE_RATE}`,
  `aformat=sample_fmts=s16:${ONE_OR_TWO}`,
  `asetpts='${MONOTONIC_TIMESTAMPS}'`,
  'aresample=async=1:first_pts=0',
  // Once more: a choice that is left open behind the last filter makes ffmpeg give up on surround sound.
  `aformat=${ONE_OR_TWO}`,
].join(',');

/**
 * The arguments that make ffmpeg print the first audio stream of one local file as 16 kHz 16-bit PCM of one channel or
 * two, behind a plain WAV header.
 */
export function buildFfmpegArguments(path: string): string[] {
  return [
    ...['-nostdin', '-hide_banner', '-nostats', '-v', 'level+info', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', FORMAT_WHITELIST],
    // Absolute and behind a protocol: no name can pass for a flag or an address.
    ...['-i', `file:${resolve(path)}`],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-filter_threads', '1', '-af', AUDIO_FILTER],
    // Without `-bitexact` the header names the program, and is longer.
    ...['-ar', String(SAMPLE_RATE), '-c:a', 'pcm_s16le', '-bitexact', '-f', 'wav'],
    // Whole blocks go through the pipe, not each packet by itself: those are many and small.
    ...['-flush_packets', '0', 'pipe:1'],
  ];
}
