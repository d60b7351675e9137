import { encodeModel, Graph } from '../graph.mjs';

/** Mean product of neighbouring samples (full scale is 1) at which the probability of speech is one half. */
const THRESHOLD = 3e-4;
const STEEPNESS = 5e4;

/**
 * A voice activity model with the interface of Silero 5: windows of 512 samples with the 64 before, and a state. Loud
 * sound below 4 kHz, whose neighbouring samples are similar, counts as speech.
 */
export function makeSileroVersion5() {
  const graph = new Graph('silero');
  const samples = graph.input('input', 'float', [1, 'samples']);
  const state = graph.input('state', 'float', [2, 1, 128]);
  graph.input('sr', 'int64', ['one']);
  graph.output('output', speechProbability(graph, samples), 'float', [1, 1]);
  graph.output('stateN', state, 'float', [2, 1, 128]);
  return encodeModel(graph);
}

/** The interface of Silero 4, whose windows do not overlap. */
export function makeSileroVersion4() {
  const graph = new Graph('silero');
  const samples = graph.input('input', 'float', [1, 'samples']);
  graph.input('sr', 'int64', ['one']);
  const [h, c] = ['h', 'c'].map((name) => graph.input(name, 'float', [2, 1, 64]));
  graph.output('output', speechProbability(graph, samples), 'float', [1, 1]);
  graph.output('hn', h, 'float', [2, 1, 64]);
  graph.output('cn', c, 'float', [2, 1, 64]);
  return encodeModel(graph);
}

function speechProbability(graph, samples) {
  const axis = graph.integers(1);
  const [first, last] = [0, Number.MAX_SAFE_INTEGER];
  const sliceSamples = (from, to) =>
    graph.op('Slice', [samples, graph.integers(from), graph.integers(to), axis]);
  const products = graph.op('Mul', [sliceSamples(first, -1), sliceSamples(1, last)]);
  const correlation = graph.op('ReduceMean', [products], { axes: [1], keepdims: 1 });
  const above = graph.op('Sub', [correlation, graph.scalar(THRESHOLD)]);
  return graph.op('Sigmoid', [graph.op('Mul', [above, graph.scalar(STEEPNESS)])]);
}
