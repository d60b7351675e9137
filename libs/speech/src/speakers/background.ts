import { BANDS, MelBands, SPECTRUM_SAMPLES } from '../spectrum/mel-bands.js';
import { quantile, sorted } from '../spectrum/moments.js';
import { isNoisy, marginOf } from '../spectrum/noise.js';
import { FRAME_SAMPLES, type Frame } from '../vad/frame.js';
import type { Breather } from './breather.js';

/** What is heard where nobody speaks. */
export interface Background {
  /** dB of full scale, as the level of a frame. */
  level: number;
  /** Power in each of `BANDS` bands. */
  powers: Float64Array;
}

/** dB. What stands further above its noise is left alone: one voice might become two by it. */
const CLEAR = 24;
/** Frames that are not this many dB louder than the noise around them are more noise than voice. */
export const OVER_NOISE = 6;
/** Frames next to speech that may still hold some of it. */
const BESIDE = 3;
/** Of fewer frames nothing can be said. */
const FEWEST = 5;
/** A band keeps this part of its power, however much of it is noise: what is left of less says nothing of a voice. */
const LEAST = 0.2;

/**
 * The noise under a stretch of sound, when there is much.
 * @param samples 16 kHz mono
 * @param frames all of its frames
 * @returns null of a clear sound, and where there is no pause to hear the noise in
 */
export async function backgroundOf(
  samples: Int16Array,
  frames: readonly Frame[],
  breather: Breather,
): Promise<Background | null> {
  const pauses = [...frames.keys()].filter((frame) => isPause(frames, frame));
  if (pauses.length < FEWEST) return null;
  const bands = await levelsOfFrames(samples, frames.length, breather);
  const level = quantile(sorted(pauses.map((frame) => frames[frame]?.level ?? 0)), 0.5);
  if (!isNoisy({ level, margin: marginOf(bands) }, CLEAR)) return null;
  // What clicks or knocks in a pause is louder than all noise, and no part of what is under the voices.
  const even = pauses.filter((frame) => isEven(frames, frame, level + OVER_NOISE));
  if (even.length < FEWEST) return null;
  return { level, powers: Float64Array.from(bands, (levels) => meanPower(levels, even)) };
}

/** Takes the noise out of the levels of a moment (natural logarithms of power, `BANDS` of them), in place. */
export function takeOff({ powers }: Background, bands: Float64Array): void {
  for (const [band, level] of bands.entries()) {
    const power = Math.exp(level);
    bands[band] = Math.log(Math.max(power - (powers[band] ?? 0), LEAST * power));
  }
}

/** Whether neither it nor a frame next to it is louder: the moment that a frame is measured in reaches a little into both. */
function isEven(frames: readonly Frame[], frame: number, loudest: number): boolean {
  return frames.slice(Math.max(0, frame - 1), frame + 2).every(({ level }) => level <= loudest);
}

function isPause(frames: readonly Frame[], frame: number): boolean {
  return frames.slice(Math.max(0, frame - BESIDE), frame + BESIDE + 1).every(({ speech }) => !speech);
}

/** A list of the frames for each band. */
async function levelsOfFrames(
  samples: Int16Array,
  count: number,
  breather: Breather,
): Promise<Float64Array[]> {
  const mel = new MelBands();
  const bands = Array.from({ length: BANDS }, () => new Float64Array(count));
  for (let frame = 0; frame < count; frame += 1) {
    const moment = mel.of(samples, (frame + 0.5) * FRAME_SAMPLES - SPECTRUM_SAMPLES / 2);
    for (const [band, levels] of bands.entries()) levels[frame] = moment[band] ?? 0;
    await breather.breathe();
  }
  return bands;
}

function meanPower(levels: Float64Array, frames: readonly number[]): number {
  return frames.reduce((sum, frame) => sum + Math.exp(levels[frame] ?? 0), 0) / frames.length;
}
