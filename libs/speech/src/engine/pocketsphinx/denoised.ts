import { resolve } from 'node:path';
import { FFMPEG } from '../../decode/decode.js';
import { isNoisy, noiseOf } from '../../spectrum/noise.js';
import { runTool } from '../../tool/run-tool.js';
import { ToolFailed, ToolMissing, ToolTimedOut } from '../../tool/tool-errors.js';
import type { ToolLimits } from '../../tool/tool-limits.js';
import { SAMPLE_BYTES, samplesOf } from '../../wav/pcm.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';

/** dB. What stands further above its noise is left alone: taking noise out costs words of clean speech. */
const CLEAR = 28;
/** Samples by which the filter is late at this rate. */
const LATE = 400;
/** The filter takes so many dB off what is no louder than the noise. */
const REDUCTION = 12;
/** dB of full scale; the filter knows no louder noise, and none below -80. */
const HIGHEST_LEVEL = -20;

/**
 * The samples of a chunk with less noise, when there is much: the engine's model was made of clean speech. What cannot
 * be taken out stays. Throws the reason of the abort.
 *
 * @param path a WAV file of 16 kHz mono, `samples` its sound
 */
export async function denoised(path: string, samples: Int16Array, signal: AbortSignal): Promise<Int16Array> {
  const noise = noiseOf(samples);
  if (!noise || !isNoisy(noise, CLEAR)) return samples;
  try {
    const limits = limitsFor(samples.length / SAMPLE_RATE);
    const run = {
      tool: FFMPEG,
      args: filterArguments(path, noise.level),
      reads: [resolve(path)],
      limits,
      signal,
    };
    const filtered = samplesOf(await runTool(run, samples.length * SAMPLE_BYTES));
    return filtered.length === samples.length ? filtered : samples;
  } catch (error) {
    signal.throwIfAborted();
    const failed = [ToolFailed, ToolMissing, ToolTimedOut].some((kind) => error instanceof kind);
    if (failed) return samples;
    throw error;
  }
}

function filterArguments(path: string, level: number): string[] {
  const floor = Math.min(HIGHEST_LEVEL, level).toFixed(1);
  const filter = `apad=pad_len=${LATE},afftdn=nr=${REDUCTION}:nf=${floor},atrim=start_sample=${LATE}`;
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', 'wav', '-i', `file:${resolve(path)}`],
    ...['-filter_threads', '1', '-af', filter, '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
  ];
}

/** Far above what it does cost. */
function limitsFor(seconds: number): ToolLimits {
  return {
    memoryBytes: 512 * 1024 * 1024,
    cpuSeconds: 30 + seconds,
    fileBytes: 0,
    wallSeconds: 60 + 2 * seconds,
  };
}
