import { FRAME_SAMPLES, FRAMES_PER_SECOND, type Frame } from '../vad/frame.js';
import { EnergyFrameClassifier } from '../vad/energy-frame-classifier.js';
import { type BackgroundNoise, estimateBackgroundNoise, MIN_SNR_DB } from './background-noise.js';
import { CooperativeYield } from './cooperative-yield.js';
import { MfccExtractor, MFCC_WINDOW_SAMPLES, MFCC_COEFFICIENTS } from './mfcc-extractor.js';
import { PITCH_SAMPLES, PitchEstimator } from './pitch-estimator.js';
import type { AcousticWindow } from './acoustic-window.js';

/** Seconds that a window has about. */
const WINDOW_SECONDS = 0.5;
/** Frames quieter than this many dB under the loud ones of their run are more room than voice. */
const MAX_DB_BELOW_LOUD = 28;
/** Part of the frames of a run that are louder than its loudness. */
const LOUD_SHARE = 0.1;

/**
 * Measures the voices of a stretch of audio, in its speech only.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param samples 16 kHz mono
 * @returns windows in order of time, on the clock of the samples; none where there is no speech
 */
export async function extractAcousticWindows(
  samples: Int16Array,
  signal: AbortSignal,
): Promise<AcousticWindow[]> {
  const breather = new CooperativeYield(signal);
  const meters = { cepstrum: new MfccExtractor(), pitch: new PitchEstimator() };
  const windows: AcousticWindow[] = [];
  const levels = await classifyFrames(samples, breather);
  const background = await estimateBackgroundNoise(samples, levels, breather);
  for (const run of findSpeechRuns(levels)) {
    for (const span of splitRun(run)) {
      windows.push(
        measureWindow({ samples, frames: levels, background, quietest: run.minLevel }, span, meters),
      );
      await breather.yieldIfDue();
    }
  }
  return windows.filter((window) => window.frames > 0);
}

async function classifyFrames(samples: Int16Array, breather: CooperativeYield): Promise<Frame[]> {
  const activity = new EnergyFrameClassifier();
  const frames: Frame[] = [];
  const slice = FRAME_SAMPLES * FRAMES_PER_SECOND;
  for (let at = 0; at < samples.length; at += slice) {
    frames.push(...activity.push(samples.subarray(at, at + slice)));
    await breather.yieldIfDue();
  }
  return [...frames, ...activity.flush()];
}

/** Frames, the last one not included. */
interface Span {
  start: number;
  end: number;
}

interface Run extends Span {
  /** Level (dB) under which a frame is not described. */
  minLevel: number;
}

function findSpeechRuns(frames: readonly Frame[]): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < frames.length; start += 1) {
    if (!frames[start]?.speech) continue;
    let end = start;
    while (frames[end]?.speech) end += 1;
    const levels = frames.slice(start, end).map((frame) => frame.level);
    levels.sort((a, b) => b - a);
    const loud = levels[Math.floor(levels.length * LOUD_SHARE)] ?? 0;
    runs.push({ start, end, minLevel: loud - MAX_DB_BELOW_LOUD });
    start = end;
  }
  return runs;
}

/** Equal pieces near the length of a window. */
function splitRun({ start, end }: Span): Span[] {
  const count = Math.max(1, Math.round((end - start) / (WINDOW_SECONDS * FRAMES_PER_SECOND)));
  const cutAt = (index: number): number => start + Math.round(((end - start) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ start: cutAt(index), end: cutAt(index + 1) }));
}

interface Extractors {
  cepstrum: MfccExtractor;
  pitch: PitchEstimator;
}

/** What a span is described from. */
interface WindowSource {
  samples: Int16Array;
  frames: readonly Frame[];
  background: BackgroundNoise | null;
  /** As of its run. */
  quietest: number;
}

/** In noise the loudest frame counts wherever its run leaves one: with no other it says little, but what there is. */
function minFrameLevel({ frames, background, quietest }: WindowSource, { start, end }: Span): number {
  if (!background) return quietest;
  const loudest = Math.max(...frames.slice(start, end).map(({ level }) => level));
  return Math.max(quietest, Math.min(loudest, background.level + MIN_SNR_DB));
}

function measureWindow(heard: WindowSource, span: Span, { cepstrum, pitch }: Extractors): AcousticWindow {
  const { samples, frames, background } = heard;
  const { start, end } = span;
  const least = minFrameLevel(heard, span);
  const sums = new Float64Array(MFCC_COEFFICIENTS);
  let count = 0;
  let voiced = 0;
  let octaves = 0;
  for (let frame = start; frame < end; frame += 1) {
    if ((frames[frame]?.level ?? -Infinity) < least) continue;
    const middle = (frame + 0.5) * FRAME_SAMPLES;
    const shape = cepstrum.extract(samples, middle - MFCC_WINDOW_SAMPLES / 2, background);
    for (let index = 0; index < MFCC_COEFFICIENTS; index += 1)
      sums[index] = (sums[index] ?? 0) + (shape[index] ?? 0);
    const height = pitch.estimate(samples, middle - PITCH_SAMPLES / 2);
    count += 1;
    voiced += height === null ? 0 : 1;
    octaves += height ?? 0;
  }
  return {
    start: start / FRAMES_PER_SECOND,
    end: end / FRAMES_PER_SECOND,
    frames: count,
    voiced,
    pitch: voiced === 0 ? 0 : octaves / voiced,
    mean: sums.map((sum) => sum / Math.max(1, count)),
  };
}
