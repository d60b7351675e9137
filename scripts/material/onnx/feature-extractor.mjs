import { RATE } from '../wav.mjs';
import { Graph } from './graph.mjs';
import { LISTENED, STEP_SIZE, STEPS_A_FRAME, TONES } from './tones.mjs';

/** Tones are detected by their level in a few bins of the spectrum. All values have the shape [1, time, tone]. */

const BINS = 80;
const PIECE_TONES = TONES.length;

const kaldi = (hertz) => 1127 * Math.log(1 + hertz / 700);
const slaney = (hertz) =>
  hertz < 1000 ? hertz / 200 : 5 + (Math.log(hertz / 1000) * 27) / Math.log(6.4) / 3;

/**
 * How a model family divides the spectrum into 80 bins.
 * @typedef {{ scale: (hertz: number) => number, low: number, high: number, margin: number }} Spectrum
 *   margin: minimum level of a tone above the mean of all bins, in units of the features
 */
export const SPECTRA = {
  kaldi: { scale: kaldi, low: 20, high: 7600, margin: 4 },
  senseVoice: { scale: kaldi, low: 20, high: 8000, margin: 4 },
  nemo: { scale: slaney, low: 0, high: 7600, margin: 4 },
  whisper: { scale: slaney, low: 0, high: 8000, margin: 0.8 },
};

/**
 * Detects the tones of each frame from features: 1 or 0.
 * @param {Graph} graph @param {string} features [1, time, 80] @param {Spectrum} spectrum
 */
export function detectTonesInFeatures(graph, features, spectrum) {
  const bins = graph.integers(...LISTENED.map((hertz) => binOf(hertz, spectrum)));
  const levels = graph.op('Gather', [features, bins], { axis: 2 });
  const mean = graph.op('ReduceMean', [levels], { axes: [2], keepdims: 1 });
  const above = graph.op('Sub', [levels, mean]);
  const clear = graph.op('Greater', [above, graph.scalar(spectrum.margin)]);
  const loudest = graph.op('ReduceMax', [levels], { axes: [2], keepdims: 1 });
  return castToFloat(graph, graph.op('And', [clear, graph.op('GreaterOrEqual', [levels, loudest])]));
}

/** Detects tones from samples [1, samples], with one frame per `hop` samples. */
export function detectTonesInWave(graph, wave, hop) {
  const width = hop;
  const waves = LISTENED.flatMap((hertz) =>
    [Math.cos, Math.sin].map((wave_) =>
      Array.from({ length: width }, (_, at) => (2 / width) * wave_((2 * Math.PI * hertz * at) / RATE)),
    ),
  ).flat();
  const kernel = graph.constant(waves, [LISTENED.length * 2, 1, width]);
  const channel = graph.op('Unsqueeze', [wave, graph.integers(1)]);
  const filtered = graph.op('Conv', [channel, kernel], { strides: [hop], kernel_shape: [width] });
  const power = graph.op('Mul', [filtered, filtered]);
  // Cosine and sine of a tone are adjacent.
  const paired = graph.op('Reshape', [power, graph.integers(LISTENED.length, 2, -1)]);
  const loudness = graph.op('ReduceSum', [paired, graph.integers(1)], { keepdims: 0 });
  const byTime = graph.op('Unsqueeze', [
    graph.op('Transpose', [loudness], { perm: [1, 0] }),
    graph.integers(0),
  ]);
  return castToFloat(graph, graph.op('Greater', [byTime, graph.scalar(0.02)]));
}

/** @returns the tones of pieces; the slow tone only adds work */
export function addSlowToneWork(graph, sounding) {
  const slow = slice(graph, sounding, 2, PIECE_TONES, PIECE_TONES + 1);
  const pieceTones = slice(graph, sounding, 2, 0, PIECE_TONES);
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
function delayByOneFrame(graph, value) {
  const padded = graph.op('Pad', [value, graph.integers(0, 1, 0, 0, 0, 0)]);
  return slice(graph, padded, 1, 0, -1);
}

function binOf(hertz, { scale, low, high }) {
  const width = (scale(high) - scale(low)) / (BINS + 1);
  return Math.min(BINS - 1, Math.max(0, Math.round((scale(hertz) - scale(low)) / width) - 1));
}

/** Yields zero after matrix products in proportion to the slow tone. */
function createSlowWork(graph, frames) {
  const steps = graph.op('Mul', [frames, graph.scalar(STEPS_A_FRAME)]);
  const times = graph.op('Cast', [steps], { to: 7 });
  const seed = graph.op('Expand', [graph.scalar(1e-4), graph.integers(STEP_SIZE, STEP_SIZE)]);
  const body = new Graph('slow_work', graph);
  body.input('labour_step', 'int64', []);
  body.input('labour_go', 'bool', []);
  body.input('labour_done', 'float', [STEP_SIZE, STEP_SIZE]);
  body.output('labour_on', 'labour_go', 'bool', []);
  body.output('labour_more', body.op('MatMul', ['labour_done', seed]), 'float', [STEP_SIZE, STEP_SIZE]);
  const result = graph.op('Loop', [times, graph.scalar(1, 'bool'), seed], { body });
  return graph.op('Mul', [graph.op('ReduceMax', [result], { keepdims: 0 }), graph.scalar(0)]);
}
