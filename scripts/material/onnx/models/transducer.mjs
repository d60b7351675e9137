import {
  markToneStarts,
  takeEveryNthFrame,
  addSlowToneWork,
  detectTonesInFeatures,
  SPECTRA,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { strengths, TONES, vocabulary } from '../tones.mjs';

const PIECES = vocabulary();
/** How strongly the model believes that nothing begins. */
const BLANK = 8;
const STATE = 1;
/** Frames that a piece lasts; the durations a model knows are 0, 1, 2, 3 and 4 frames. */
const DURATIONS = 5;
const PIECE_FRAMES = 4;

/** A transducer as NeMo exports it, of the TDT kind (Parakeet): one frame in eight, the blank last, pieces with lengths. */
export function nemoTransducer() {
  const size = PIECES.length + 1;
  const width = size + DURATIONS;
  const encoder = new Graph('encoder');
  const audio = encoder.input('audio_signal', 'float', [1, 80, 'time']);
  const length = encoder.input('length', 'int64', [1]);
  const features = encoder.op('Transpose', [audio], { perm: [0, 2, 1] });
  const begun = begunPieces(encoder, features, SPECTRA.nemo, 8);
  const heard = encoder.op('MatMul', [begun, pieces(encoder)]);
  const parts = [heard, steady(encoder, begun, BLANK), durationsOf(encoder, begun)];
  const logits = encoder.op('Concat', parts, { axis: 2 });
  encoder.output('outputs', encoder.op('Transpose', [logits], { perm: [0, 2, 1] }), 'float', [
    1,
    width,
    'frames',
  ]);
  encoder.output('encoded_lengths', framesIn(encoder, length, 8), 'int64', [1]);

  const metadata = {
    vocab_size: PIECES.length,
    subsampling_factor: 8,
    normalize_type: 'NA',
    pred_rnn_layers: 1,
    pred_hidden: STATE,
    feat_dim: 80,
    url: 'tdt',
  };
  return {
    'encoder.onnx': encodeModel(encoder, metadata),
    'decoder.onnx': encodeModel(nemoDecoder(width)),
    'joiner.onnx': encodeModel(nemoJoiner(width)),
    'tokens.txt': tokens([...PIECES, '<blk>']),
  };
}

/** A transducer as the sherpa project trains it (Zipformer): one frame in four, the blank first. */
export function zipformerTransducer() {
  const width = PIECES.length + 1;
  const encoder = new Graph('encoder');
  const features = encoder.input('x', 'float', [1, 'time', 80]);
  const length = encoder.input('x_lens', 'int64', [1]);
  const begun = begunPieces(encoder, features, SPECTRA.kaldi, 4);
  const parts = [steady(encoder, begun, BLANK), encoder.op('MatMul', [begun, pieces(encoder)])];
  encoder.output('encoder_out', encoder.op('Concat', parts, { axis: 2 }), 'float', [1, 'frames', width]);
  encoder.output('encoder_out_lens', framesIn(encoder, length, 4), 'int64', [1]);

  const decoder = new Graph('decoder');
  const context = decoder.input('y', 'int64', ['hypotheses', 2]);
  const last = decoder.op('Cast', [context], { to: 1 });
  const none = decoder.constant(new Float32Array(2 * width), [2, width]);
  decoder.output('decoder_out', decoder.op('MatMul', [last, none]), 'float', ['hypotheses', width]);

  const joiner = new Graph('joiner');
  const heard = joiner.input('encoder_out', 'float', ['hypotheses', width]);
  const said = joiner.input('decoder_out', 'float', ['hypotheses', width]);
  joiner.output('logit', joiner.op('Add', [heard, said]), 'float', ['hypotheses', width]);
  return {
    'encoder.onnx': encodeModel(encoder),
    'decoder.onnx': encodeModel(decoder, { vocab_size: width, context_size: 2 }),
    'joiner.onnx': encodeModel(joiner, { joiner_dim: width }),
    'tokens.txt': tokens(['<blk>', ...PIECES]),
  };
}

function tokens(all) {
  return Buffer.from(all.map((token, id) => `${token} ${id}\n`).join(''));
}

function begunPieces(graph, features, spectrum, step) {
  return markToneStarts(
    graph,
    addSlowToneWork(graph, detectTonesInFeatures(graph, takeEveryNthFrame(graph, features, step), spectrum)),
  );
}

function pieces(graph) {
  return graph.constant(strengths(), [TONES.length, PIECES.length]);
}

/** The same value in every frame: [1, time, 1]. */
function steady(graph, like, value) {
  const one = graph.op('ReduceMax', [like], { axes: [2], keepdims: 1 });
  return graph.op('Add', [graph.op('Mul', [one, graph.scalar(0)]), graph.scalar(value)]);
}

/** Where a piece begins its length is likeliest, elsewhere one frame. */
function durationsOf(graph, begun) {
  const row = new Float32Array(DURATIONS);
  row[PIECE_FRAMES] = 8;
  const ahead = graph.constant(
    TONES.flatMap(() => [...row]),
    [TONES.length, DURATIONS],
  );
  return graph.op('Add', [graph.op('MatMul', [begun, ahead]), graph.constant([0, 4, 0, 0, 0], [DURATIONS])]);
}

function framesIn(graph, length, step) {
  const more = graph.op('Add', [length, graph.scalar(step - 1, 'int64')]);
  return graph.op('Div', [more, graph.scalar(step, 'int64')]);
}

/** Has no opinion: [1, width, 1]. */
function nemoDecoder(width) {
  const graph = new Graph('decoder');
  graph.input('targets', 'int32', [1, 1]);
  const length = graph.input('target_length', 'int32', [1]);
  const states = ['states.1', 'onnx::Slice_3'].map((name) => graph.input(name, 'float', [1, 1, STATE]));
  const none = graph.constant(new Float32Array(width), [1, width, 1]);
  graph.output('outputs', none, 'float', [1, width, 1]);
  graph.output('prednet_lengths', length, 'int32', [1]);
  graph.output('states', states[0], 'float', [1, 1, STATE]);
  graph.output('162', states[1], 'float', [1, 1, STATE]);
  return graph;
}

function nemoJoiner(width) {
  const graph = new Graph('joiner');
  const heard = graph.input('encoder_outputs', 'float', [1, width, 1]);
  const said = graph.input('decoder_outputs', 'float', [1, width, 1]);
  const shape = graph.integers(1, 1, 1, width);
  const sum = graph.op('Add', [heard, said]);
  graph.output('outputs', graph.op('Reshape', [sum, shape]), 'float', [1, 1, 1, width]);
  return graph;
}
