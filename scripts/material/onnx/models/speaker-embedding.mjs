import { encodeModel, Graph } from '../graph.mjs';

/** Bands of the features that the library computes. */
const BANDS = 80;

/** An embedding model with the interface of WeSpeaker. The embedding is the normalized mean spectrum. */
export function makeSpeakerEmbedding() {
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
