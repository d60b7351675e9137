import { resolve } from 'node:path';
import { FFMPEG_TOOL } from '../../decode/decoder-health.js';
import { runTool } from '../../tool/run-tool.js';

const LIMITS = { memoryBytes: 512 * 2 ** 20, cpuSeconds: 60, wallSeconds: 60, fileBytes: 0 };
const BYTES_PER_SAMPLE = 2;
/** Headers, and blocks that cannot be compressed. */
const OVERHEAD_BYTES = 256 * 2 ** 10;

/** Offset of the number of samples in a FLAC file: the lower four bits of this byte and the four bytes after it. */
const SAMPLE_COUNT_AT = 21;

/**
 * Compresses a WAV file of 16-bit mono samples without loss, to about half its size.
 * @throws ToolMissingError, ToolFailedError, ToolTimeoutError; Error for an ffmpeg without FLAC; the reason of the signal
 */
export async function encodeWavFileAsFlac(
  path: string,
  sampleCount: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const flac = await runTool(
    {
      tool: FFMPEG_TOOL,
      args: [
        ...['-nostdin', '-hide_banner', '-nostats', '-v', 'error', '-threads', '1'],
        ...['-protocol_whitelist', 'file', '-format_whitelist', 'wav', '-i', `file:${resolve(path)}`],
        ...['-map', '0:a:0', '-c:a', 'flac', '-bitexact', '-f', 'flac', 'pipe:1'],
      ],
      reads: [resolve(path)],
      limits: LIMITS,
      signal,
    },
    sampleCount * BYTES_PER_SAMPLE + OVERHEAD_BYTES,
  );
  if (flac.toString('latin1', 0, 4) !== 'fLaC') throw new Error('ffmpeg wrote no FLAC.');
  writeSampleCount(flac, sampleCount);
  return flac;
}

/** ffmpeg cannot know the length when it writes the header to a pipe. Some decoders find no samples without it. */
function writeSampleCount(flac: Buffer, sampleCount: number): void {
  const upper = Math.floor(sampleCount / 2 ** 32);
  flac[SAMPLE_COUNT_AT] = ((flac[SAMPLE_COUNT_AT] ?? 0) & 0xf0) | upper;
  flac.writeUInt32BE(sampleCount % 2 ** 32, SAMPLE_COUNT_AT + 1);
}
