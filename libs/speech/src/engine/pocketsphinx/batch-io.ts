import type { RecognizedWord } from '../engine.js';
import type { Utterance } from '../../vad/utterances.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import { floorToThreeDecimals } from '../estimate-word-times.js';

const ENGINE_FRAMES_PER_SECOND = 100;
const FRAME_SAMPLES = SAMPLE_RATE / ENGINE_FRAMES_PER_SECOND;
const WINDOW_SAMPLES = 410;

/** One line per utterance: file, first and last frame, index. */
export function buildControlFile(name: string, utterances: readonly Utterance[]): string {
  return utterances.map((utterance, index) => buildControlLine(name, utterance, index)).join('');
}

/** Start of the utterance in whole frames, in seconds from the start of the chunk. */
export function computeFrameAlignedStartSeconds(utterance: Utterance): number {
  return firstFrame(utterance) / ENGINE_FRAMES_PER_SECOND;
}

/** The samples that the program reads: the window of the last frame extends beyond it. */
export function sliceUtteranceSamples(utterance: Utterance, chunk: Int16Array): Int16Array {
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

/** Silence, noise and sentence marks. */
const FILLER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/;
/** Pronunciation variants are numbered: `read(2)`. */
const VARIANT = /\(\d+\)$/;

/**
 * Parses CTM (`utterance channel start duration word confidence` per line) to words in seconds from the start of the chunk,
 * sorted and clamped to `duration` (seconds).
 * @throws SyntaxError for an invalid line
 */
export function parseCtm(ctm: string, utterances: readonly Utterance[], duration: number): RecognizedWord[] {
  const words = ctm
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => parseLine(line, utterances));
  return sortAndClamp(words, duration);
}

function parseLine(line: string, utterances: readonly Utterance[]): RecognizedWord[] {
  const [utteranceId, , startText, lengthText, rawText = '', confidenceText] = line.trim().split(/\s+/);
  const utterance = utterances[Number(utteranceId)];
  const [start, length, confidence] = [startText, lengthText, confidenceText].map(Number);
  if (!utterance || !isFinite(start) || !isFinite(length))
    throw new SyntaxError('Invalid line in CTM output.');
  const text = rawText.replace(VARIANT, '');
  if (text === '' || FILLER.test(text)) return [];
  const from = computeFrameAlignedStartSeconds(utterance) + start;
  return [
    { text, start: from, end: from + length, confidence: clampProbability(confidence), language: null },
  ];
}

function isFinite(value: number | undefined): value is number {
  return Number.isFinite(value);
}

function clampProbability(value: number | undefined): number | null {
  return isFinite(value) ? Math.min(1, Math.max(0, value)) : null;
}

function sortAndClamp(words: RecognizedWord[], duration: number): RecognizedWord[] {
  let latest = 0;
  return words
    .toSorted((a, b) => a.start - b.start)
    .map((word) => {
      const start = floorToThreeDecimals(Math.min(duration, Math.max(latest, word.start)));
      const end = floorToThreeDecimals(Math.min(duration, Math.max(start, word.end)));
      latest = start;
      return { ...word, start, end };
    });
}
