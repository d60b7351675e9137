import { encodeModel, Graph } from '../graph.mjs';

/** Bands of the spectrum that the library hands over. */
const BANDS = 80;

/** Speaker embedding after WeSpeaker: a voice is the shape of its mean spectrum, whatever its loudness. */
export function speakerEmbedding() {
  const graph = new Graph('embedding');
  const spectrum = graph.input('feats', 'float', [1, 'frames', BANDS]);
  const mean = graph.op('ReduceMean', [spectrum], { axes: [1], keepdims: 0 });
  graph.output('embs', graph.op('Softmax', [mean], { axis: 1 }), 'float', [1, BANDS]);
  return encodeModel(graph, {
    framework: 'wespeaker',
    language: 'any',
    output_dim: BANDS,
    sample_rate: 16_000,
    normalize_samples: 1,
    feature_normalize_type: '',
  });
}
