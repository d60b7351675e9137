import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  AudioTooLongError,
  DecoderUnavailableError,
  classifyDecodeFailure,
  UndecodableAudioError,
} from './audio-errors.js';
import { DECODER_MEMORY_BYTES, decoderHealth, FFMPEG_TOOL } from './decoder-health.js';
import { buildFfmpegArguments } from './ffmpeg-arguments.js';
import { FfmpegLogParser } from './ffmpeg-log-parser.js';
import { type DecodedAudioBlock, decodeFfmpegOutput } from './ffmpeg-output-decoder.js';
import { StereoDownmixer } from './stereo-downmixer.js';
import { findDeclaredSecondsIfTruncated } from './truncation.js';
import { streamTool } from '../tool/run-tool.js';
import { ToolFailedError, ToolTimeoutError } from '../tool/tool.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** ffmpeg's exit code after a signal that it handles; inside the sandbox that is SIGXCPU. */
const TERMINATED_EXIT_CODE = 255;

const PROGRESS_SECONDS = 600;
/** Nobody misses less. */
const MIN_MISSING_SECONDS = 1;

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
  /** Called at the end with the seconds of silence in place of audio that could not be decoded, unless it is little. */
  onDamaged?: (seconds: number) => void;
  /** Called after every ten minutes of audio; decoding waits for it, and its error ends decoding. */
  onProgress?: ((seconds: number) => Promise<void>) | undefined;
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
  const isWhole = yield* decodeUnlessBassIsGuessed(path, options, false);
  if (!isWhole) yield* decodeUnlessBassIsGuessed(path, options, true);
}

/** @returns false, and yields nothing, if the file does not say which of its channels is the one that would be left out */
async function* decodeUnlessBassIsGuessed(
  path: string,
  options: DecodeOptions,
  mixesBass: boolean,
): AsyncGenerator<DecodedAudioBlock, boolean, undefined> {
  const limits = { ...DEFAULT_DECODE_LIMITS, ...options.limits };
  const log = new FfmpegLogParser();
  const bytes = streamTool({
    tool: FFMPEG_TOOL,
    args: buildFfmpegArguments(path, { mixesBass }),
    reads: [resolve(path)],
    limits: { ...limits, fileBytes: 0 },
    signal: options.signal,
    stderr: log,
  });
  let total = 0;
  let missing = 0;
  let reportAt = PROGRESS_SECONDS;
  try {
    for await (const block of decodeFfmpegOutput(bytes)) {
      if (total === 0 && !mixesBass) {
        // Lets what ffmpeg logged before its output arrive.
        await setImmediate();
        if (log.hasGuessedBass) return false;
      }
      const length = block.samples.length / block.channels;
      total += length;
      if (block.isGap) missing += length;
      if (total > limits.maxSeconds * SAMPLE_RATE) throw new AudioTooLongError(limits.maxSeconds);
      if (total >= reportAt * SAMPLE_RATE) {
        await options.onProgress?.(total / SAMPLE_RATE);
        reportAt += PROGRESS_SECONDS;
      }
      yield block;
    }
  } catch (error) {
    if (error instanceof ToolFailedError && total === 0) await assertDecoderHasOpened(path, log, error);
    // A decoder that was killed from outside (out of memory, shutdown) has not decoded the whole file.
    if (!(error instanceof ToolFailedError) || !error.isOwnFailure) throw error;
    if (error.exitCode === TERMINATED_EXIT_CODE)
      throw new ToolTimeoutError(FFMPEG_TOOL.name, 'cpu', limits.cpuSeconds);
    // The decoder fails at the end of a damaged file, too; the samples before that are valid.
    if (total === 0) {
      const reason = classifyDecodeFailure(error.stderrTail);
      if (reason === 'unknown') await decoderHealth.assertDecodesSample();
      throw new UndecodableAudioError(reason, { cause: error });
    }
  }
  if (total === 0) throw new UndecodableAudioError();
  const declared = await findDeclaredSecondsIfTruncated(path, log, total / SAMPLE_RATE);
  if (declared !== null) options.onTruncated?.(declared);
  // Without errors it is a pause of a live recording.
  if (log.hasDecodingErrors && missing >= MIN_MISSING_SECONDS * SAMPLE_RATE)
    options.onDamaged?.(missing / SAMPLE_RATE);
  return true;
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
    decoderHealth.reportFailedStart();
    throw new DecoderUnavailableError('ffmpeg did not start in its sandbox.', { cause: failure });
  }
  await access(path, constants.R_OK).catch(() => {
    throw new DecoderUnavailableError('ffmpeg could not open the file.', { cause: failure });
  });
}
