import { MEL_BANDS, MelFilterBank, FFT_SAMPLES } from '../spectrum/mel-filter-bank.js';
import { quantile, sortAscending } from '../spectrum/band-levels.js';
import { isNoisy, estimateSnrDb } from '../spectrum/estimate-noise.js';
import { FRAME_SAMPLES, type Frame } from '../vad/frame.js';
import type { CooperativeYield } from './cooperative-yield.js';

/** What is heard where nobody speaks. */
export interface BackgroundNoise {
  /** dB of full scale, as the level of a frame. */
  level: number;
  /** Power in each of `BANDS` bands. */
  powers: Float64Array;
}

/** dB. What stands further above its noise is left alone: one voice might become two by it. */
const CLEAN_SNR_DB = 24;
/** Frames that are not this many dB louder than the noise around them are more noise than voice. */
export const MIN_SNR_DB = 6;
/** Frames next to speech that may still hold some of it. */
const SPEECH_MARGIN_FRAMES = 3;
/** Of fewer frames nothing can be said. */
const MIN_PAUSE_FRAMES = 5;
/** A band keeps this part of its power, however much of it is noise: what is left of less says nothing of a voice. */
const MIN_REMAINING_SHARE = 0.2;

/**
 * The noise under a stretch of sound, when there is much.
 * @param samples 16 kHz mono
 * @param frames all of its frames
 * @returns null of a clear sound, and where there is no pause to hear the noise in
 */
export async function estimateBackgroundNoise(
  samples: Int16Array,
  frames: readonly Frame[],
  breather: CooperativeYield,
): Promise<BackgroundNoise | null> {
  const pauses = [...frames.keys()].filter((frame) => isPause(frames, frame));
  if (pauses.length < MIN_PAUSE_FRAMES) return null;
  const bands = await measureFrameBands(samples, frames.length, breather);
  const level = quantile(sortAscending(pauses.map((frame) => frames[frame]?.level ?? 0)), 0.5);
  if (!isNoisy({ levelDb: level, snrDb: estimateSnrDb(bands) }, CLEAN_SNR_DB)) return null;
  // What clicks or knocks in a pause is louder than all noise, and no part of what is under the voices.
  const even = pauses.filter((frame) => isSteady(frames, frame, level + MIN_SNR_DB));
  if (even.length < MIN_PAUSE_FRAMES) return null;
  return { level, powers: Float64Array.from(bands, (levels) => meanPower(levels, even)) };
}

/** Takes the noise out of the levels of a moment (natural logarithms of power, `BANDS` of them), in place. */
export function subtractBackgroundNoise({ powers }: BackgroundNoise, bands: Float64Array): void {
  for (const [band, level] of bands.entries()) {
    const power = Math.exp(level);
    bands[band] = Math.log(Math.max(power - (powers[band] ?? 0), MIN_REMAINING_SHARE * power));
  }
}

/** Whether neither it nor a frame next to it is louder: the moment that a frame is measured in reaches a little into both. */
function isSteady(frames: readonly Frame[], frame: number, loudest: number): boolean {
  return frames.slice(Math.max(0, frame - 1), frame + 2).every(({ level }) => level <= loudest);
}

function isPause(frames: readonly Frame[], frame: number): boolean {
  return frames
    .slice(Math.max(0, frame - SPEECH_MARGIN_FRAMES), frame + SPEECH_MARGIN_FRAMES + 1)
    .every(({ speech }) => !speech);
}

/** A list of the frames for each band. */
async function measureFrameBands(
  samples: Int16Array,
  count: number,
  breather: CooperativeYield,
): Promise<Float64Array[]> {
  const mel = new MelFilterBank();
  const bands = Array.from({ length: MEL_BANDS }, () => new Float64Array(count));
  for (let frame = 0; frame < count; frame += 1) {
    const moment = mel.logPowers(samples, (frame + 0.5) * FRAME_SAMPLES - FFT_SAMPLES / 2);
    for (const [band, levels] of bands.entries()) levels[frame] = moment[band] ?? 0;
    await breather.yieldIfDue();
  }
  return bands;
}

function meanPower(levels: Float64Array, frames: readonly number[]): number {
  return frames.reduce((sum, frame) => sum + Math.exp(levels[frame] ?? 0), 0) / frames.length;
}
