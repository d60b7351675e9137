import { RATE } from '../wav.mjs';

/**
 * What the tiny recognisers have learned: a tone of a frequency stands for a piece of a word. A piece that begins a word
 * begins with `▁`, as in the vocabularies of real models.
 */
export const TONES = [
  { hertz: 400, piece: '▁please' },
  { hertz: 600, piece: '▁call' },
  { hertz: 850, piece: '▁mister' },
  // Heard as the second best: what a model is biased towards comes out instead.
  { hertz: 1100, piece: '▁smith', second: '▁smyth' },
  { hertz: 1400, piece: '▁to' },
  { hertz: 1700, piece: '▁mor' },
  { hertz: 2050, piece: 'row' },
  { hertz: 2450, piece: '▁at' },
  { hertz: 2900, piece: '▁nine' },
  { hertz: 3400, piece: '你' },
  { hertz: 4000, piece: '好' },
  { hertz: 4700, piece: '.' },
  // The two bytes of é: vocabularies fall back to bytes for what they do not list.
  { hertz: 5200, piece: '<0xC3>' },
  { hertz: 5700, piece: '<0xA9>' },
];

/** A tone that says nothing and makes a model work for a second or more each time it sounds. */
const SLOW_HERTZ = 6600;

/** Seconds that a tone sounds, and that it is silent after it. */
export const TONE_SECONDS = 0.35;
export const GAP_SECONDS = 0.25;

const LEVEL = 0.4;
const FADE_SECONDS = 0.01;
const SLOW = 'slow';
/** Steps of the loop that the slow tone sets going, a frame of the tone. */
export const STEPS_A_FRAME = 60;
export const STEP_SIZE = 256;

/**
 * Sound in which the pieces are said one after the other, after half a second of silence.
 * @param {string[]} pieces of `TONES`, or `slow`
 * @returns {Int16Array} 16 kHz
 */
export function speak(pieces) {
  const step = Math.round((TONE_SECONDS + GAP_SECONDS) * RATE);
  const lead = RATE / 2;
  const samples = new Int16Array(lead + step * pieces.length + lead);
  pieces.forEach((piece, index) => sound(samples, lead + index * step, hertzOf(piece)));
  return samples;
}

/** Second at which the piece of this place begins in what `speak` gives. @param {number} place */
export function pieceStart(place) {
  return 0.5 + place * (TONE_SECONDS + GAP_SECONDS);
}

/** The pieces of all tones, in their order, and those that are only second best. */
export function vocabulary() {
  return [...TONES.map(({ piece }) => piece), ...TONES.flatMap(({ second }) => second ?? [])];
}

/** The bytes that a piece stands for. @param {string} piece */
export function bytesOf(piece) {
  const byte = /^<0x(..)>$/.exec(piece)?.[1];
  return byte ? Buffer.from(byte, 'hex') : Buffer.from(piece.replace('▁', ' '));
}

/**
 * How strongly each piece speaks when a tone sounds: a row a tone, a column a piece of `vocabulary`.
 * @returns {number[]} row by row
 */
export function strengths(best = 14, second = 13.2) {
  const pieces = vocabulary();
  return TONES.flatMap((tone) =>
    pieces.map((piece) => (piece === tone.piece ? best : piece === tone.second ? second : 0)),
  );
}

/** Frequencies a model listens for; the slow one comes last. */
export const LISTENED = [...TONES.map(({ hertz }) => hertz), SLOW_HERTZ];

function hertzOf(piece) {
  const hertz = piece === SLOW ? SLOW_HERTZ : TONES.find((tone) => tone.piece === piece)?.hertz;
  if (hertz === undefined) throw new RangeError(`No tone stands for ${piece}.`);
  return hertz;
}

function sound(samples, from, hertz) {
  const length = TONE_SECONDS * RATE;
  for (let index = 0; index < length; index += 1) {
    const fade = Math.min(1, index / RATE / FADE_SECONDS, (length - index) / RATE / FADE_SECONDS);
    const value = LEVEL * fade * Math.sin((2 * Math.PI * hertz * index) / RATE);
    samples[from + index] = Math.round(value * 32_767);
  }
}
