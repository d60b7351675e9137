import { RATE } from '../wav.mjs';
import { Graph } from './graph.mjs';
import { DETECTED_HERTZ, SLOW_MATRIX_SIZE, SLOW_STEPS_PER_FRAME, TONES } from './tones.mjs';

/** Tones are detected by their level in a few bins of the spectrum. All values have the shape [1, time, tone]. */

const BINS = 80;
const PIECE_TONES = TONES.length;

const kaldiScale = (hertz) => 1127 * Math.log(1 + hertz / 700);
const slaneyScale = (hertz) =>
  hertz < 1000 ? hertz / 200 : 5 + (Math.log(hertz / 1000) * 27) / Math.log(6.4) / 3;

/**
 * How a model family divides the spectrum into 80 bins.
 * @typedef {{ scale: (hertz: number) => number, low: number, high: number, margin: number }} Spectrum
 *   margin: minimum level of a tone above the mean of all bins, in units of the features
 */
export const SPECTRA = {
  kaldiScale: { scale: kaldiScale, low: 20, high: 7600, margin: 4 },
  senseVoice: { scale: kaldiScale, low: 20, high: 8000, margin: 4 },
  nemo: { scale: slaneyScale, low: 0, high: 7600, margin: 4 },
  whisper: { scale: slaneyScale, low: 0, high: 8000, margin: 0.8 },
};

/**
 * Detects the tones of each frame from features: 1 or 0.
 * @param {Graph} graph @param {string} features [1, time, 80] @param {Spectrum} spectrum
 */
export function detectTonesInFeatures(graph, features, spectrum) {
  const bins = graph.integers(...DETECTED_HERTZ.map((hertz) => findBin(hertz, spectrum)));
  const levels = graph.op('Gather', [features, bins], { axis: 2 });
  const mean = graph.op('ReduceMean', [levels], { axes: [2], keepdims: 1 });
  const relativeLevels = graph.op('Sub', [levels, mean]);
  const isAboveMargin = graph.op('Greater', [relativeLevels, graph.scalar(spectrum.margin)]);
  const loudest = graph.op('ReduceMax', [levels], { axes: [2], keepdims: 1 });
  return castToFloat(graph, graph.op('And', [isAboveMargin, graph.op('GreaterOrEqual', [levels, loudest])]));
}

/** Detects tones from samples [1, samples], with one frame per `hop` samples. */
export function detectTonesInWave(graph, wave, hop) {
  const width = hop;
  const waves = DETECTED_HERTZ.flatMap((hertz) =>
    [Math.cos, Math.sin].map((oscillate) =>
      Array.from({ length: width }, (_, at) => (2 / width) * oscillate((2 * Math.PI * hertz * at) / RATE)),
    ),
  ).flat();
  const kernel = graph.constant(waves, [DETECTED_HERTZ.length * 2, 1, width]);
  const channel = graph.op('Unsqueeze', [wave, graph.integers(1)]);
  const filtered = graph.op('Conv', [channel, kernel], { strides: [hop], kernel_shape: [width] });
  const power = graph.op('Mul', [filtered, filtered]);
  // Cosine and sine of a tone are adjacent.
  const paired = graph.op('Reshape', [power, graph.integers(DETECTED_HERTZ.length, 2, -1)]);
  const loudness = graph.op('ReduceSum', [paired, graph.integers(1)], { keepdims: 0 });
  const byTime = graph.op('Unsqueeze', [
    graph.op('Transpose', [loudness], { perm: [1, 0] }),
    graph.integers(0),
  ]);
  return castToFloat(graph, graph.op('Greater', [byTime, graph.scalar(0.02)]));
}

/** Removes the slow tone, which only adds work. @returns the tones of pieces */
export function addSlowToneWork(graph, tones) {
  const slow = slice(graph, tones, 2, PIECE_TONES, PIECE_TONES + 1);
  const pieceTones = slice(graph, tones, 2, 0, PIECE_TONES);
  return graph.op('Add', [pieceTones, createSlowWork(graph, graph.op('ReduceSum', [slow], { keepdims: 0 }))]);
}

/** 1 in the first frame of a tone. */
export function markToneStarts(graph, tones) {
  return graph.op('Relu', [graph.op('Sub', [tones, delayByOneFrame(graph, tones)])]);
}

/** 1 in the frame after a tone. */
export function markToneEnds(graph, tones) {
  return graph.op('Relu', [graph.op('Sub', [delayByOneFrame(graph, tones), tones])]);
}

/** The number of events up to each frame: [1, time, 1]. */
export function countToneEvents(graph, events) {
  const any = graph.op('ReduceSum', [events, graph.integers(2)], { keepdims: 1 });
  return { any, count: graph.op('CumSum', [any, graph.scalar(1, 'int64')]) };
}

export function takeEveryNthFrame(graph, features, step) {
  const from = graph.integers(0);
  const to = graph.integers(1_000_000_000);
  return graph.op('Slice', [features, from, to, graph.integers(1), graph.integers(step)]);
}

export function slice(graph, value, axis, from, to) {
  return graph.op('Slice', [value, graph.integers(from), graph.integers(to), graph.integers(axis)]);
}

export function castToFloat(graph, value) {
  return graph.op('Cast', [value], { to: 1 });
}

/** Delays by one frame; silence comes first. */
export function delayByOneFrame(graph, value) {
  const padded = graph.op('Pad', [value, graph.integers(0, 1, 0, 0, 0, 0)]);
  return slice(graph, padded, 1, 0, -1);
}

function findBin(hertz, { scale, low, high }) {
  const width = (scale(high) - scale(low)) / (BINS + 1);
  return Math.min(BINS - 1, Math.max(0, Math.round((scale(hertz) - scale(low)) / width) - 1));
}

/** Computes matrix products in proportion to the length of the slow tone. @returns zero */
function createSlowWork(graph, frames) {
  const steps = graph.op('Mul', [frames, graph.scalar(SLOW_STEPS_PER_FRAME)]);
  const times = graph.op('Cast', [steps], { to: 7 });
  const seed = graph.op('Expand', [graph.scalar(1e-4), graph.integers(SLOW_MATRIX_SIZE, SLOW_MATRIX_SIZE)]);
  const body = new Graph('slow_work', graph);
  body.input('slow_step', 'int64', []);
  body.input('slow_continue', 'bool', []);
  body.input('slow_product', 'float', [SLOW_MATRIX_SIZE, SLOW_MATRIX_SIZE]);
  body.output('slow_continues', 'slow_continue', 'bool', []);
  body.output('slow_next_product', body.op('MatMul', ['slow_product', seed]), 'float', [
    SLOW_MATRIX_SIZE,
    SLOW_MATRIX_SIZE,
  ]);
  const result = graph.op('Loop', [times, graph.scalar(1, 'bool'), seed], { body });
  return graph.op('Mul', [graph.op('ReduceMax', [result], { keepdims: 0 }), graph.scalar(0)]);
}
