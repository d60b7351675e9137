import { resolve } from 'node:path';
import { AudioTooLongError, classifyDecodeFailure, UndecodableAudioError } from './audio-errors.js';
import { buildFfmpegArguments } from './ffmpeg-arguments.js';
import { FfmpegLogParser } from './ffmpeg-log-parser.js';
import { StereoDownmixer } from './stereo-downmixer.js';
import { detectTruncation } from './truncation.js';
import { streamTool } from '../tool/run-tool.js';
import { type Tool, ToolFailedError, ToolTimeoutError } from '../tool/tool.js';
import { PcmStreamDecoder, SAMPLE_RATE } from '../wav/pcm.js';

export const FFMPEG: Tool = {
  name: 'ffmpeg',
  install: 'Install it with `apt install ffmpeg` (Debian, Ubuntu) or `brew install ffmpeg` (macOS).',
};

/** What ffmpeg ends with after a signal that it handles; in its cage that is the one of the limit of processor time. */
const TERMINATED_EXIT_CODE = 255;

export interface DecodeLimits {
  /** Seconds of sound; more is refused with `AudioTooLongError`. */
  maxSeconds: number;
  /** Bytes of address space of the decoder. */
  memoryBytes: number;
  /** Seconds of processor time of the decoder. */
  cpuSeconds: number;
  /** Seconds from start to end, the time in which the reader is busy included. */
  wallSeconds: number;
  /** Seconds without any output while the reader waits. */
  stallSeconds: number;
}

export const DECODE_LIMITS: DecodeLimits = {
  maxSeconds: 48 * 3600,
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 3600,
  wallSeconds: 6 * 3600,
  stallSeconds: 120,
};

export interface DecodeOptions {
  signal: AbortSignal;
  /** What is left out has the value of `DECODE_LIMITS`. */
  limits?: Partial<DecodeLimits>;
  /** Told at the end how many seconds the file declares, where clearly fewer could be decoded. */
  onTruncated?: (declaredSeconds: number) => void;
}

/**
 * The sound of one local media file as blocks of 16 kHz mono samples, the first sample at second 0 of the file.
 *
 * The decoder runs no faster than the blocks are read. A damaged file yields what can be decoded of it.
 * Throws `UndecodableAudioError`, `AudioTooLongError`, `ToolMissingError`, `ToolTimeoutError`, `ToolFailedError` when somebody else ended the
 * decoder, or the reason of the abort.
 */
export async function* decodeAudio(
  path: string,
  options: DecodeOptions,
): AsyncGenerator<Int16Array, void, undefined> {
  const limits = { ...DECODE_LIMITS, ...options.limits };
  const log = new FfmpegLogParser();
  const bytes = streamTool({
    tool: FFMPEG,
    args: buildFfmpegArguments(path),
    reads: [resolve(path)],
    limits: { ...limits, fileBytes: 0 },
    signal: options.signal,
    stderr: log,
  });
  const sound = new FfmpegWavParser();
  let total = 0;
  try {
    for await (const block of bytes) {
      const samples = sound.push(block);
      total += samples.length;
      if (total > limits.maxSeconds * SAMPLE_RATE) throw new AudioTooLongError(limits.maxSeconds);
      if (samples.length > 0) yield samples;
    }
  } catch (error) {
    // What a decoder gave before it was killed is not all that the file holds, whoever did it: the system short of memory,
    // or a stop of everything at once.
    if (!(error instanceof ToolFailedError) || !error.isOwnFailure) throw error;
    if (error.exitCode === TERMINATED_EXIT_CODE)
      throw new ToolTimeoutError(FFMPEG.name, 'cpu', limits.cpuSeconds);
    // The end of a damaged file is an error too, but what came before it is sound.
    if (total === 0)
      throw new UndecodableAudioError(classifyDecodeFailure(error.stderrTail), { cause: error });
  }
  if (total === 0) throw new UndecodableAudioError();
  const declared = await detectTruncation(path, log, total / SAMPLE_RATE);
  if (declared !== null) options.onTruncated?.(declared);
}

/** Bytes of the header that ffmpeg prints, and where in it the number of channels is. */
const HEADER_BYTES = 44;
const CHANNELS_AT = 22;

/** Reads what ffmpeg prints for `buildFfmpegArguments`: a WAV header that tells of one channel or two, then 16-bit samples. */
export class FfmpegWavParser {
  private header: Buffer = Buffer.alloc(0);
  private joiner: PcmStreamDecoder | null = null;
  private mixer: StereoDownmixer | null = null;

  /** The samples that these bytes complete, of one channel. */
  push(bytes: Buffer): Int16Array {
    const joiner = this.joiner;
    if (!joiner) return this.parseHeader(Buffer.concat([this.header, bytes]));
    const samples = joiner.push(bytes);
    return this.mixer ? this.mixer.push(samples) : samples;
  }

  private parseHeader(bytes: Buffer): Int16Array {
    this.header = bytes;
    if (bytes.length < HEADER_BYTES) return new Int16Array(0);
    const channels = bytes.readUInt16LE(CHANNELS_AT);
    this.joiner = new PcmStreamDecoder(channels);
    if (channels === 2) this.mixer = new StereoDownmixer();
    return this.push(bytes.subarray(HEADER_BYTES));
  }
}
