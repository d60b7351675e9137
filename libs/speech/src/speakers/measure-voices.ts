import { FRAME_SAMPLES, FRAMES_PER_SECOND, type Frame } from '../vad/frame.js';
import { VoiceActivity } from '../vad/voice-activity.js';
import { type Background, backgroundOf, OVER_NOISE } from './background.js';
import { Breather } from './breather.js';
import { Cepstrum, CEPSTRUM_SAMPLES, COEFFICIENTS } from './cepstrum.js';
import { PITCH_SAMPLES, PitchMeter } from './pitch.js';
import type { VoiceWindow } from './voice-window.js';

/** Seconds that a window has about. */
const WINDOW_SECONDS = 0.5;
/** Frames quieter than this many dB under the loud ones of their run are more room than voice. */
const LOUD_DB = 28;
/** Part of the frames of a run that are louder than its loudness. */
const LOUD_SHARE = 0.1;

/**
 * Measures the voices of a stretch of audio, in its speech only.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param samples 16 kHz mono
 * @returns windows in order of time, on the clock of the samples; none where there is no speech
 */
export async function measureVoices(samples: Int16Array, signal: AbortSignal): Promise<VoiceWindow[]> {
  const breather = new Breather(signal);
  const meters = { cepstrum: new Cepstrum(), pitch: new PitchMeter() };
  const windows: VoiceWindow[] = [];
  const levels = await judged(samples, breather);
  const background = await backgroundOf(samples, levels, breather);
  for (const run of speechRuns(levels)) {
    for (const span of cutRun(run)) {
      windows.push(describe({ samples, frames: levels, background, quietest: run.quietest }, span, meters));
      await breather.breathe();
    }
  }
  return windows.filter((window) => window.frames > 0);
}

async function judged(samples: Int16Array, breather: Breather): Promise<Frame[]> {
  const activity = new VoiceActivity();
  const frames: Frame[] = [];
  const slice = FRAME_SAMPLES * FRAMES_PER_SECOND;
  for (let at = 0; at < samples.length; at += slice) {
    frames.push(...activity.push(samples.subarray(at, at + slice)));
    await breather.breathe();
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
  quietest: number;
}

function speechRuns(frames: readonly Frame[]): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < frames.length; start += 1) {
    if (!frames[start]?.speech) continue;
    let end = start;
    while (frames[end]?.speech) end += 1;
    const levels = frames.slice(start, end).map((frame) => frame.level);
    levels.sort((a, b) => b - a);
    const loud = levels[Math.floor(levels.length * LOUD_SHARE)] ?? 0;
    runs.push({ start, end, quietest: loud - LOUD_DB });
    start = end;
  }
  return runs;
}

/** Equal pieces near the length of a window. */
function cutRun({ start, end }: Span): Span[] {
  const count = Math.max(1, Math.round((end - start) / (WINDOW_SECONDS * FRAMES_PER_SECOND)));
  const cutAt = (index: number): number => start + Math.round(((end - start) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ start: cutAt(index), end: cutAt(index + 1) }));
}

interface Meters {
  cepstrum: Cepstrum;
  pitch: PitchMeter;
}

/** What a span is described from. */
interface Heard {
  samples: Int16Array;
  frames: readonly Frame[];
  background: Background | null;
  /** As of its run. */
  quietest: number;
}

/** In noise the loudest frame counts wherever its run leaves one: with no other it says little, but what there is. */
function leastLevel({ frames, background, quietest }: Heard, { start, end }: Span): number {
  if (!background) return quietest;
  const loudest = Math.max(...frames.slice(start, end).map(({ level }) => level));
  return Math.max(quietest, Math.min(loudest, background.level + OVER_NOISE));
}

function describe(heard: Heard, span: Span, { cepstrum, pitch }: Meters): VoiceWindow {
  const { samples, frames, background } = heard;
  const { start, end } = span;
  const least = leastLevel(heard, span);
  const sums = new Float64Array(COEFFICIENTS);
  let count = 0;
  let voiced = 0;
  let octaves = 0;
  for (let frame = start; frame < end; frame += 1) {
    if ((frames[frame]?.level ?? -Infinity) < least) continue;
    const middle = (frame + 0.5) * FRAME_SAMPLES;
    const shape = cepstrum.of(samples, middle - CEPSTRUM_SAMPLES / 2, background);
    for (let index = 0; index < COEFFICIENTS; index += 1)
      sums[index] = (sums[index] ?? 0) + (shape[index] ?? 0);
    const height = pitch.of(samples, middle - PITCH_SAMPLES / 2);
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
