import { resolve } from 'node:path';
import { FFMPEG_TOOL } from '../../decode/decoder-health.js';
import { isNoisy, estimateSnrAndNoiseLevel } from '../../spectrum/estimate-snr-and-noise-level.js';
import { runTool } from '../../tool/run-tool.js';
import { ToolFailedError, type ToolLimits, ToolMissingError, ToolTimeoutError } from '../../tool/tool.js';
import { BYTES_PER_SAMPLE, bytesToSamples, SAMPLE_RATE } from '../../wav/pcm.js';

/** With a higher SNR the samples are unchanged, because noise reduction costs words of clean speech. */
const CLEAN_SNR_DB = 28;
/** Latency of the filter at 16 kHz. */
const FILTER_DELAY_SAMPLES = 400;
const REDUCTION_DB = 12;
/** The filter accepts -80 to -20 dB of full scale. */
const MAX_NOISE_DB = -20;

/**
 * The acoustic model was trained on clean speech. Returns `samples` unchanged if the audio is clean or ffmpeg fails.
 * @param path WAV file of the samples, 16 kHz mono
 * @throws the reason of the abort
 */
export async function denoise(path: string, samples: Int16Array, signal: AbortSignal): Promise<Int16Array> {
  const noise = estimateSnrAndNoiseLevel(samples);
  if (!noise || !isNoisy(noise, CLEAN_SNR_DB)) return samples;
  try {
    const limits = filterLimits(samples.length / SAMPLE_RATE);
    const run = {
      tool: FFMPEG_TOOL,
      args: buildFilterArguments(path, noise.levelDb),
      reads: [resolve(path)],
      limits,
      signal,
    };
    const filtered = bytesToSamples(await runTool(run, samples.length * BYTES_PER_SAMPLE));
    return filtered.length === samples.length ? filtered : samples;
  } catch (error) {
    signal.throwIfAborted();
    const failed = [ToolFailedError, ToolMissingError, ToolTimeoutError].some(
      (kind) => error instanceof kind,
    );
    if (failed) return samples;
    throw error;
  }
}

function buildFilterArguments(path: string, level: number): string[] {
  const floor = Math.min(MAX_NOISE_DB, level).toFixed(1);
  const filter = `apad=pad_len=${FILTER_DELAY_SAMPLES},afftdn=nr=${REDUCTION_DB}:nf=${floor},atrim=start_sample=${FILTER_DELAY_SAMPLES}`;
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', 'wav', '-i', `file:${resolve(path)}`],
    ...['-filter_threads', '1', '-af', filter, '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
  ];
}

function filterLimits(seconds: number): ToolLimits {
  return {
    memoryBytes: 512 * 1024 * 1024,
    cpuSeconds: 30 + seconds,
    fileBytes: 0,
    wallSeconds: 60 + 2 * seconds,
  };
}
