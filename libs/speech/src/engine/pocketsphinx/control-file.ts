import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import type { Utterance } from '../../vad/utterances.js';

const ENGINE_FRAMES_PER_SECOND = 100;
const FRAME_SAMPLES = SAMPLE_RATE / ENGINE_FRAMES_PER_SECOND;
const WINDOW_SAMPLES = 410;

/** One line an utterance: file, first and last frame, and its number as the name. */
export function buildControlFile(name: string, utterances: readonly Utterance[]): string {
  return utterances.map((utterance, index) => buildControlLine(name, utterance, index)).join('');
}

/** Seconds from the start of the chunk at which the engine's clock of this utterance begins. */
export function utteranceClockStart(utterance: Utterance): number {
  return firstFrame(utterance) / ENGINE_FRAMES_PER_SECOND;
}

/** The samples (16 kHz) that the program reads of an utterance: its last frame is a window that reaches further. */
export function utteranceSamples(utterance: Utterance, chunk: Int16Array): Int16Array {
  return chunk.subarray(
    firstFrame(utterance) * FRAME_SAMPLES,
    lastFrame(utterance) * FRAME_SAMPLES + WINDOW_SAMPLES,
  );
}

function buildControlLine(name: string, utterance: Utterance, index: number): string {
  return `${name} ${firstFrame(utterance)} ${lastFrame(utterance)} ${index}\n`;
}

function firstFrame(utterance: Utterance): number {
  return Math.floor(utterance.start * ENGINE_FRAMES_PER_SECOND);
}

function lastFrame(utterance: Utterance): number {
  return Math.floor(utterance.end * ENGINE_FRAMES_PER_SECOND);
}
