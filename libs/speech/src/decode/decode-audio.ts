import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  AudioTooLongError,
  DecoderUnavailableError,
  findUndecodableReason,
  UndecodableAudioError,
} from './audio-errors.js';
import { DECODER_MEMORY_BYTES, decoderAvailability, FFMPEG_TOOL } from './decoder-availability.js';
import { buildFfmpegArguments } from './ffmpeg-arguments.js';
import { FfmpegLogParser } from './ffmpeg-log-parser.js';
import { StereoDownmixer } from './stereo-downmixer.js';
import { findDeclaredSecondsIfTruncated } from './truncation.js';
import { streamTool } from '../tool/run-tool.js';
import { ToolFailedError, ToolTimeoutError } from '../tool/tool.js';
import { PcmStreamDecoder, SAMPLE_RATE } from '../wav/pcm.js';

/** ffmpeg's exit code after a signal that it handles; inside the sandbox that is SIGXCPU. */
const TERMINATED_EXIT_CODE = 255;

const PROGRESS_SECONDS = 600;

export interface DecodeLimits {
  /** Longer audio throws `AudioTooLongError`. */
  maxSeconds: number;
  memoryBytes: number;
  cpuSeconds: number;
  /** Includes the time in which the consumer is busy. */
  wallSeconds: number;
  /** Seconds without any output while the reader waits. */
  stallSeconds: number;
}

export const DEFAULT_DECODE_LIMITS: DecodeLimits = {
  maxSeconds: 48 * 3600,
  memoryBytes: DECODER_MEMORY_BYTES,
  cpuSeconds: 3600,
  wallSeconds: 6 * 3600,
  stallSeconds: 120,
};

export interface DecodeOptions {
  signal: AbortSignal;
  /** Overrides of `DEFAULT_DECODE_LIMITS`. */
  limits?: Partial<DecodeLimits>;
  /** Called at the end with the declared duration if the file is truncated. */
  onTruncated?: (declaredSeconds: number) => void;
  /** Called after every ten minutes of audio; decoding waits for it, and its error ends decoding. */
  onProgress?: ((seconds: number) => Promise<void>) | undefined;
}

export interface DecodedAudioBlock {
  /** Channels of the file; files with more than two are mixed to one or two. */
  channels: 1 | 2;
  /** 16 kHz; with two channels left, right, left, right, … */
  samples: Int16Array;
}

/**
 * Yields blocks of 16 kHz mono samples; stereo is mixed.
 * @throws like `decodeToMonoOrStereo`
 */
export async function* decodeAudioToMono(
  path: string,
  options: DecodeOptions,
): AsyncGenerator<Int16Array, void, undefined> {
  const downmixer = new StereoDownmixer();
  for await (const { channels, samples } of decodeToMonoOrStereo(path, options))
    yield channels === 2 ? downmixer.push(samples) : samples;
}

/**
 * Yields blocks of samples, only as fast as they are consumed. Of a damaged file it yields what can be decoded.
 * @throws UndecodableAudioError, AudioTooLongError, ToolMissingError, ToolTimeoutError; DecoderUnavailableError when the
 *   decoder did not run or could not open the file; ToolFailedError when it was killed from outside; the reason of the abort
 */
export async function* decodeToMonoOrStereo(
  path: string,
  options: DecodeOptions,
): AsyncGenerator<DecodedAudioBlock, void, undefined> {
  const limits = { ...DEFAULT_DECODE_LIMITS, ...options.limits };
  const log = new FfmpegLogParser();
  const bytes = streamTool({
    tool: FFMPEG_TOOL,
    args: buildFfmpegArguments(path),
    reads: [resolve(path)],
    limits: { ...limits, fileBytes: 0 },
    signal: options.signal,
    stderr: log,
  });
  const decoder = new FfmpegOutputDecoder();
  let total = 0;
  let reportAt = PROGRESS_SECONDS;
  try {
    for await (const block of bytes) {
      const samples = decoder.push(block);
      const { channels } = decoder;
      total += samples.length / channels;
      if (total > limits.maxSeconds * SAMPLE_RATE) throw new AudioTooLongError(limits.maxSeconds);
      if (total >= reportAt * SAMPLE_RATE) {
        await options.onProgress?.(total / SAMPLE_RATE);
        reportAt += PROGRESS_SECONDS;
      }
      if (samples.length > 0) yield { channels, samples };
    }
  } catch (error) {
    if (error instanceof ToolFailedError && total === 0) await assertDecoderHasOpened(path, log, error);
    // A decoder that was killed from outside (out of memory, shutdown) has not decoded the whole file.
    if (!(error instanceof ToolFailedError) || !error.isOwnFailure) throw error;
    if (error.exitCode === TERMINATED_EXIT_CODE)
      throw new ToolTimeoutError(FFMPEG_TOOL.name, 'cpu', limits.cpuSeconds);
    // The decoder fails at the end of a damaged file, too; the samples before that are valid.
    if (total === 0)
      throw new UndecodableAudioError(findUndecodableReason(error.stderrTail), { cause: error });
  }
  if (total === 0) throw new UndecodableAudioError();
  const declared = await findDeclaredSecondsIfTruncated(path, log, total / SAMPLE_RATE);
  if (declared !== null) options.onTruncated?.(declared);
}

/**
 * The exit code does not tell ffmpeg from the programs that start it.
 * @throws DecoderUnavailableError
 */
async function assertDecoderHasOpened(
  path: string,
  log: FfmpegLogParser,
  failure: ToolFailedError,
): Promise<void> {
  if (failure.signal !== null) return;
  if (!log.hasMessages) {
    decoderAvailability.reportFailedStart();
    throw new DecoderUnavailableError('ffmpeg did not start in its sandbox.', { cause: failure });
  }
  await access(path, constants.R_OK).catch(() => {
    throw new DecoderUnavailableError('ffmpeg could not open the file.', { cause: failure });
  });
}

/** Length of ffmpeg's header, and the offset of the channel count in it. */
const HEADER_BYTES = 44;
const CHANNELS_AT = 22;

/** Decodes the WAV stream that ffmpeg writes. */
class FfmpegOutputDecoder {
  channels: 1 | 2 = 1;
  private header: Buffer = Buffer.alloc(0);
  private decoder: PcmStreamDecoder | null = null;

  push(bytes: Buffer): Int16Array {
    return this.decoder?.push(bytes) ?? this.parseHeader(Buffer.concat([this.header, bytes]));
  }

  private parseHeader(bytes: Buffer): Int16Array {
    this.header = bytes;
    if (bytes.length < HEADER_BYTES) return new Int16Array(0);
    this.channels = bytes.readUInt16LE(CHANNELS_AT) === 2 ? 2 : 1;
    this.decoder = new PcmStreamDecoder(this.channels);
    return this.push(bytes.subarray(HEADER_BYTES));
  }
}
