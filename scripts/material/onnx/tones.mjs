import { RATE } from '../wav.mjs';

/**
 * The tones that the tiny recognisers detect, and the piece of a word that each stands for. `▁` begins a word, as in the
 * vocabularies of real models.
 */
export const TONES = [
  { hertz: 400, piece: '▁please' },
  { hertz: 600, piece: '▁call' },
  { hertz: 850, piece: '▁mister' },
  // `second` scores a little lower, so a bias towards it changes the result.
  { hertz: 1100, piece: '▁smith', second: '▁smyth' },
  { hertz: 1400, piece: '▁to' },
  { hertz: 1700, piece: '▁mor' },
  { hertz: 2050, piece: 'row' },
  { hertz: 2450, piece: '▁at' },
  { hertz: 2900, piece: '▁nine' },
  { hertz: 3400, piece: '你' },
  { hertz: 4000, piece: '好' },
  { hertz: 4700, piece: '.' },
  // The two bytes of é: vocabularies fall back to bytes for other characters.
  { hertz: 5200, piece: '<0xC3>' },
  { hertz: 5700, piece: '<0xA9>' },
];

/** A tone without a piece that makes a model compute for a second or more. */
const SLOW_HERTZ = 6600;

export const TONE_SECONDS = 0.35;
/** Silence after each tone. */
export const GAP_SECONDS = 0.25;

const LEVEL = 0.4;
const FADE_SECONDS = 0.01;
const SLOW_PIECE = 'slow';
/** Matrix products per frame of the slow tone. */
export const SLOW_STEPS_PER_FRAME = 60;
export const SLOW_MATRIX_SIZE = 256;

/**
 * Renders the tones of the pieces one after the other, after half a second of silence.
 * @param {string[]} pieces of `TONES`, or `slow`
 * @returns {Int16Array} 16 kHz
 */
export function renderPieces(pieces) {
  const step = Math.round((TONE_SECONDS + GAP_SECONDS) * RATE);
  const leadSamples = RATE / 2;
  const samples = new Int16Array(leadSamples + step * pieces.length + leadSamples);
  pieces.forEach((piece, index) => writeTone(samples, leadSamples + index * step, findHertz(piece)));
  return samples;
}

/** When a piece begins in the output of `renderPieces`. @param {number} index */
export function pieceStartSeconds(index) {
  return 0.5 + index * (TONE_SECONDS + GAP_SECONDS);
}

/** The pieces of all tones in their order, then those that are only `second`. */
export function buildVocabulary() {
  return [...TONES.map(({ piece }) => piece), ...TONES.flatMap(({ second }) => second ?? [])];
}

export function pieceBytes(piece) {
  const byte = /^<0x(..)>$/.exec(piece)?.[1];
  return byte ? Buffer.from(byte, 'hex') : Buffer.from(piece.replace('▁', ' '));
}

/**
 * @returns {number[]} the matrix from tones (rows) to logits of pieces (columns, as in `buildVocabulary`), row by row
 */
export function buildPieceLogits(best = 14, second = 13.2) {
  const pieces = buildVocabulary();
  return TONES.flatMap((tone) =>
    pieces.map((piece) => (piece === tone.piece ? best : piece === tone.second ? second : 0)),
  );
}

/** The slow tone comes last. */
export const DETECTED_HERTZ = [...TONES.map(({ hertz }) => hertz), SLOW_HERTZ];

function findHertz(piece) {
  const hertz = piece === SLOW_PIECE ? SLOW_HERTZ : TONES.find((tone) => tone.piece === piece)?.hertz;
  if (hertz === undefined) throw new RangeError(`No tone stands for ${piece}.`);
  return hertz;
}

function writeTone(samples, from, hertz) {
  const length = TONE_SECONDS * RATE;
  for (let index = 0; index < length; index += 1) {
    const fade = Math.min(1, index / RATE / FADE_SECONDS, (length - index) / RATE / FADE_SECONDS);
    const value = LEVEL * fade * Math.sin((2 * Math.PI * hertz * index) / RATE);
    samples[from + index] = Math.round(value * 32_767);
  }
}
