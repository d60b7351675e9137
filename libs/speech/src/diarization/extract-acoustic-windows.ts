import { CooperativeYielder } from '@app/async';
import {
  FRAME_SAMPLES,
  FRAMES_PER_SECOND,
  type ClassifiedFrame,
  findSpeechRuns,
  type FrameRange,
} from '../vad/frame.js';
import { EnergyFrameClassifier } from '../vad/energy-frame-classifier.js';
import {
  type BackgroundNoise,
  estimateBackgroundNoise,
  MIN_SPEECH_FRAME_SNR_DB,
} from './background-noise.js';
import { MfccExtractor, MFCC_WINDOW_SAMPLES, MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import { PITCH_WINDOW_SAMPLES, PitchEstimator } from './pitch-estimator.js';
import type { AcousticWindow } from './acoustic-window.js';

const WINDOW_SECONDS = 0.5;
/** Quieter frames are mostly reverberation. */
const MAX_DB_BELOW_LOUD = 28;
/** Share of the frames of a run that defines its loudness. */
const LOUD_SHARE = 0.1;

/** @param samples 16 kHz mono @returns windows in order of time, in seconds from the first sample; empty without speech */
export async function extractAcousticWindows(
  samples: Int16Array,
  signal: AbortSignal,
): Promise<AcousticWindow[]> {
  const yielder = new CooperativeYielder(signal);
  const extractors = { cepstrum: new MfccExtractor(), pitch: new PitchEstimator() };
  const windows: AcousticWindow[] = [];
  const frames = await classifyFrames(samples, yielder);
  const background = await estimateBackgroundNoise(samples, frames, yielder);
  for (const run of findMeasuredRuns(frames)) {
    for (const span of splitRun(run)) {
      windows.push(measureWindow({ samples, frames, background, minLevel: run.minLevel }, span, extractors));
      await yielder.yieldIfDue();
    }
  }
  return windows.filter((window) => window.frames > 0);
}

async function classifyFrames(samples: Int16Array, yielder: CooperativeYielder): Promise<ClassifiedFrame[]> {
  const classifier = new EnergyFrameClassifier();
  const frames: ClassifiedFrame[] = [];
  const slice = FRAME_SAMPLES * FRAMES_PER_SECOND;
  for (let at = 0; at < samples.length; at += slice) {
    frames.push(...classifier.push(samples.subarray(at, at + slice)));
    await yielder.yieldIfDue();
  }
  return [...frames, ...classifier.flush()];
}

interface Run extends FrameRange {
  /** Frames below this level (dB) are not measured. */
  minLevel: number;
}

function findMeasuredRuns(frames: readonly ClassifiedFrame[]): Run[] {
  return findSpeechRuns(frames).map(({ start, end }) => {
    const levels = frames.slice(start, end).map(({ levelDb }) => levelDb);
    levels.sort((a, b) => b - a);
    const loud = levels[Math.floor(levels.length * LOUD_SHARE)] ?? 0;
    return { start, end, minLevel: loud - MAX_DB_BELOW_LOUD };
  });
}

function splitRun({ start, end }: FrameRange): FrameRange[] {
  const count = Math.max(1, Math.round((end - start) / (WINDOW_SECONDS * FRAMES_PER_SECOND)));
  const boundary = (index: number): number => start + Math.round(((end - start) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ start: boundary(index), end: boundary(index + 1) }));
}

interface Extractors {
  cepstrum: MfccExtractor;
  pitch: PitchEstimator;
}

interface WindowSource {
  samples: Int16Array;
  frames: readonly ClassifiedFrame[];
  background: BackgroundNoise | null;
  minLevel: number;
}

/** In noise at threshold the loudest frame of a span is measured, unless it is below the level of its run. */
function minFrameLevel({ frames, background, minLevel }: WindowSource, { start, end }: FrameRange): number {
  if (!background) return minLevel;
  const loudest = Math.max(...frames.slice(start, end).map(({ levelDb }) => levelDb));
  return Math.max(minLevel, Math.min(loudest, background.level + MIN_SPEECH_FRAME_SNR_DB));
}

function measureWindow(
  source: WindowSource,
  span: FrameRange,
  { cepstrum, pitch }: Extractors,
): AcousticWindow {
  const { samples, frames, background } = source;
  const { start, end } = span;
  const threshold = minFrameLevel(source, span);
  const sums = new Float64Array(MFCC_COEFFICIENT_COUNT);
  let count = 0;
  let voiced = 0;
  let log2PitchSum = 0;
  for (let frame = start; frame < end; frame += 1) {
    if ((frames[frame]?.levelDb ?? -Infinity) < threshold) continue;
    const middle = (frame + 0.5) * FRAME_SAMPLES;
    const mfcc = cepstrum.extract(samples, middle - MFCC_WINDOW_SAMPLES / 2, background);
    for (let index = 0; index < MFCC_COEFFICIENT_COUNT; index += 1)
      sums[index] = (sums[index] ?? 0) + (mfcc[index] ?? 0);
    const log2Pitch = pitch.estimateLog2(samples, middle - PITCH_WINDOW_SAMPLES / 2);
    count += 1;
    voiced += log2Pitch === null ? 0 : 1;
    log2PitchSum += log2Pitch ?? 0;
  }
  return {
    start: start / FRAMES_PER_SECOND,
    end: end / FRAMES_PER_SECOND,
    frames: count,
    voiced,
    pitch: voiced === 0 ? 0 : log2PitchSum / voiced,
    mean: sums.map((sum) => sum / Math.max(1, count)),
  };
}
