import { resolve } from 'node:path';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import { FORMAT_WHITELIST } from './format-whitelist.js';
import { AUDIO_FILTER } from './audio-filter.js';

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
