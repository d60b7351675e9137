import { encodeModel, Graph } from '../graph.mjs';

/** Loudness (mean product of neighbouring samples, full scale is 1) that is half way to speech. */
const LEAST = 3e-4;
const STEEPNESS = 5e4;

/**
 * Voice activity after Silero's fifth version: a window of 512 samples and the 64 before it, and a state.
 * It takes loud sound below 4 kHz for speech, of which neighbouring samples are alike, and nothing else, however loud.
 */
export function sileroVoiceActivity() {
  const graph = new Graph('silero');
  const samples = graph.input('input', 'float', [1, 'samples']);
  const state = graph.input('state', 'float', [2, 1, 128]);
  graph.input('sr', 'int64', ['one']);
  graph.output('output', likelihood(graph, samples), 'float', [1, 1]);
  graph.output('stateN', state, 'float', [2, 1, 128]);
  return encodeModel(graph);
}

/** The same after the fourth version, whose windows do not overlap. */
export function olderSileroVoiceActivity() {
  const graph = new Graph('silero');
  const samples = graph.input('input', 'float', [1, 'samples']);
  graph.input('sr', 'int64', ['one']);
  const [h, c] = ['h', 'c'].map((name) => graph.input(name, 'float', [2, 1, 64]));
  graph.output('output', likelihood(graph, samples), 'float', [1, 1]);
  graph.output('hn', h, 'float', [2, 1, 64]);
  graph.output('cn', c, 'float', [2, 1, 64]);
  return encodeModel(graph);
}

function likelihood(graph, samples) {
  const axis = graph.integers(1);
  const [first, last] = [0, Number.MAX_SAFE_INTEGER];
  const but = (from, to) => graph.op('Slice', [samples, graph.integers(from), graph.integers(to), axis]);
  const products = graph.op('Mul', [but(first, -1), but(1, last)]);
  const likeness = graph.op('ReduceMean', [products], { axes: [1], keepdims: 1 });
  const above = graph.op('Sub', [likeness, graph.scalar(LEAST)]);
  return graph.op('Sigmoid', [graph.op('Mul', [above, graph.scalar(STEEPNESS)])]);
}
