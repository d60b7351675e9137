import type { CooperativeYielder } from '@app/async';
import { MEL_BAND_COUNT, MelFilterBank, FFT_SAMPLES } from '../spectrum/mel-filter-bank.js';
import { computeQuantileOfSorted, toSortedAscending } from '../spectrum/band-levels.js';
import { isNoisy, estimateSnrDbFromBandLogPowers } from '../spectrum/estimate-snr-and-noise-level.js';
import { FRAME_SAMPLES, type ClassifiedFrame } from '../vad/frame.js';

export interface BackgroundNoise {
  /** dB of full scale, like `ClassifiedFrame.levelDb`. */
  level: number;
  /** Power in each of the `MEL_BAND_COUNT` bands. */
  powers: Float64Array;
}

/** With a higher SNR nothing is subtracted, because that could split one speaker into two. */
const CLEAN_SNR_DB = 24;
/** Frames with a lower SNR are mostly noise. */
export const MIN_SPEECH_FRAME_SNR_DB = 6;
/** Frames next to speech that may still contain some. */
const SPEECH_MARGIN_FRAMES = 3;
const MIN_PAUSE_FRAMES = 5;
/** Minimum share of a band's power that is kept: with less left the band says nothing about the speaker. */
const MIN_REMAINING_SHARE = 0.2;

/** @param samples 16 kHz mono @returns null for clean audio, and without enough pauses */
export async function estimateBackgroundNoise(
  samples: Int16Array,
  frames: readonly ClassifiedFrame[],
  yielder: CooperativeYielder,
): Promise<BackgroundNoise | null> {
  const pauses = [...frames.keys()].filter((frame) => isPause(frames, frame));
  if (pauses.length < MIN_PAUSE_FRAMES) return null;
  const bands = await measureFrameBands(samples, frames.length, yielder);
  const level = computeQuantileOfSorted(
    toSortedAscending(pauses.map((frame) => frames[frame]?.levelDb ?? 0)),
    0.5,
  );
  if (!isNoisy({ levelDb: level, snrDb: estimateSnrDbFromBandLogPowers(bands) }, CLEAN_SNR_DB)) return null;
  // Clicks and knocks are louder than the background and no part of it.
  const steady = pauses.filter((frame) => isSteady(frames, frame, level + MIN_SPEECH_FRAME_SNR_DB));
  if (steady.length < MIN_PAUSE_FRAMES) return null;
  return { level, powers: Float64Array.from(bands, (levels) => meanPower(levels, steady)) };
}

/** Subtracts the noise from `bands` (natural logarithms of `MEL_BAND_COUNT` powers) in place. */
export function subtractNoiseFromBandsInPlace({ powers }: BackgroundNoise, bands: Float64Array): void {
  for (const [band, level] of bands.entries()) {
    const power = Math.exp(level);
    bands[band] = Math.log(Math.max(power - (powers[band] ?? 0), MIN_REMAINING_SHARE * power));
  }
}

/** Neighbours count too, because the FFT window of a frame extends into them. */
function isSteady(frames: readonly ClassifiedFrame[], frame: number, loudest: number): boolean {
  return frames.slice(Math.max(0, frame - 1), frame + 2).every(({ levelDb }) => levelDb <= loudest);
}

function isPause(frames: readonly ClassifiedFrame[], frame: number): boolean {
  return frames
    .slice(Math.max(0, frame - SPEECH_MARGIN_FRAMES), frame + SPEECH_MARGIN_FRAMES + 1)
    .every(({ isSpeech }) => !isSpeech);
}

async function measureFrameBands(
  samples: Int16Array,
  count: number,
  yielder: CooperativeYielder,
): Promise<Float64Array[]> {
  const mel = new MelFilterBank();
  const bands = Array.from({ length: MEL_BAND_COUNT }, () => new Float64Array(count));
  for (let frame = 0; frame < count; frame += 1) {
    const powers = mel.logPowers(samples, (frame + 0.5) * FRAME_SAMPLES - FFT_SAMPLES / 2);
    for (const [band, levels] of bands.entries()) levels[frame] = powers[band] ?? 0;
    await yielder.yieldIfDue();
  }
  return bands;
}

function meanPower(levels: Float64Array, frames: readonly number[]): number {
  return frames.reduce((sum, frame) => sum + Math.exp(levels[frame] ?? 0), 0) / frames.length;
}
