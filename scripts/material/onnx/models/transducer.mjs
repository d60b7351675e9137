import {
  markToneStarts,
  takeEveryNthFrame,
  addSlowToneWork,
  detectTonesInFeatures,
  SPECTRA,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { buildPieceLogits, TONES, buildVocabulary } from '../tones.mjs';

const PIECES = buildVocabulary();
const BLANK_LOGIT = 8;
const STATE_SIZE = 1;
/** A model predicts durations of 0 to 4 frames. */
const DURATIONS = 5;
const PIECE_FRAMES = 4;

/** A TDT transducer as NeMo exports it (Parakeet): every eighth frame, the blank token last, pieces with durations. */
export function makeNemoTransducer() {
  const size = PIECES.length + 1;
  const width = size + DURATIONS;
  const encoder = new Graph('encoder');
  const audio = encoder.input('audio_signal', 'float', [1, 80, 'time']);
  const length = encoder.input('length', 'int64', [1]);
  const features = encoder.op('Transpose', [audio], { perm: [0, 2, 1] });
  const starts = detectToneStarts(encoder, features, SPECTRA.nemo, 8);
  const encoderOutput = encoder.op('MatMul', [starts, buildPieceMatrix(encoder)]);
  const parts = [
    encoderOutput,
    repeatForFrames(encoder, starts, BLANK_LOGIT),
    buildDurationLogits(encoder, starts),
  ];
  const logits = encoder.op('Concat', parts, { axis: 2 });
  encoder.output('outputs', encoder.op('Transpose', [logits], { perm: [0, 2, 1] }), 'float', [
    1,
    width,
    'frames',
  ]);
  encoder.output('encoded_lengths', divideLength(encoder, length, 8), 'int64', [1]);

  const metadata = {
    vocab_size: PIECES.length,
    subsampling_factor: 8,
    normalize_type: 'NA',
    pred_rnn_layers: 1,
    pred_hidden: STATE_SIZE,
    feat_dim: 80,
    url: 'tdt',
  };
  return {
    'encoder.onnx': encodeModel(encoder, metadata),
    'decoder.onnx': encodeModel(buildNemoDecoder(width)),
    'joiner.onnx': encodeModel(buildNemoJoiner(width)),
    'tokens.txt': encodeTokens([...PIECES, '<blk>']),
  };
}

/** A transducer as the sherpa project trains it (Zipformer): every fourth frame, the blank token first. */
export function makeZipformerTransducer() {
  const width = PIECES.length + 1;
  const encoder = new Graph('encoder');
  const features = encoder.input('x', 'float', [1, 'time', 80]);
  const length = encoder.input('x_lens', 'int64', [1]);
  const starts = detectToneStarts(encoder, features, SPECTRA.kaldiScale, 4);
  const parts = [
    repeatForFrames(encoder, starts, BLANK_LOGIT),
    encoder.op('MatMul', [starts, buildPieceMatrix(encoder)]),
  ];
  encoder.output('encoder_out', encoder.op('Concat', parts, { axis: 2 }), 'float', [1, 'frames', width]);
  encoder.output('encoder_out_lens', divideLength(encoder, length, 4), 'int64', [1]);

  const decoder = new Graph('decoder');
  const context = decoder.input('y', 'int64', ['hypotheses', 2]);
  const last = decoder.op('Cast', [context], { to: 1 });
  const zeros = decoder.constant(new Float32Array(2 * width), [2, width]);
  decoder.output('decoder_out', decoder.op('MatMul', [last, zeros]), 'float', ['hypotheses', width]);

  const joiner = new Graph('joiner');
  const encoderOutput = joiner.input('encoder_out', 'float', ['hypotheses', width]);
  const decoderOutput = joiner.input('decoder_out', 'float', ['hypotheses', width]);
  joiner.output('logit', joiner.op('Add', [encoderOutput, decoderOutput]), 'float', ['hypotheses', width]);
  return {
    'encoder.onnx': encodeModel(encoder),
    'decoder.onnx': encodeModel(decoder, { vocab_size: width, context_size: 2 }),
    'joiner.onnx': encodeModel(joiner, { joiner_dim: width }),
    'tokens.txt': encodeTokens(['<blk>', ...PIECES]),
  };
}

function encodeTokens(all) {
  return Buffer.from(all.map((token, id) => `${token} ${id}\n`).join(''));
}

function detectToneStarts(graph, features, spectrum, step) {
  return markToneStarts(
    graph,
    addSlowToneWork(graph, detectTonesInFeatures(graph, takeEveryNthFrame(graph, features, step), spectrum)),
  );
}

function buildPieceMatrix(graph) {
  return graph.constant(buildPieceLogits(), [TONES.length, PIECES.length]);
}

/** @returns the same value in every frame: [1, time, 1] */
function repeatForFrames(graph, like, value) {
  const one = graph.op('ReduceMax', [like], { axes: [2], keepdims: 1 });
  return graph.op('Add', [graph.op('Mul', [one, graph.scalar(0)]), graph.scalar(value)]);
}

/** Predicts the length of a piece where it starts, elsewhere one frame. */
function buildDurationLogits(graph, starts) {
  const row = new Float32Array(DURATIONS);
  row[PIECE_FRAMES] = 8;
  const weights = graph.constant(
    TONES.flatMap(() => [...row]),
    [TONES.length, DURATIONS],
  );
  return graph.op('Add', [
    graph.op('MatMul', [starts, weights]),
    graph.constant([0, 4, 0, 0, 0], [DURATIONS]),
  ]);
}

function divideLength(graph, length, step) {
  const padded = graph.op('Add', [length, graph.scalar(step - 1, 'int64')]);
  return graph.op('Div', [padded, graph.scalar(step, 'int64')]);
}

/** Outputs zeros, so that only the encoder decides: [1, width, 1]. */
function buildNemoDecoder(width) {
  const graph = new Graph('decoder');
  graph.input('targets', 'int32', [1, 1]);
  const length = graph.input('target_length', 'int32', [1]);
  const states = ['states.1', 'onnx::Slice_3'].map((name) => graph.input(name, 'float', [1, 1, STATE_SIZE]));
  const zeros = graph.constant(new Float32Array(width), [1, width, 1]);
  graph.output('outputs', zeros, 'float', [1, width, 1]);
  graph.output('prednet_lengths', length, 'int32', [1]);
  graph.output('states', states[0], 'float', [1, 1, STATE_SIZE]);
  graph.output('162', states[1], 'float', [1, 1, STATE_SIZE]);
  return graph;
}

function buildNemoJoiner(width) {
  const graph = new Graph('joiner');
  const encoderOutput = graph.input('encoder_outputs', 'float', [1, width, 1]);
  const decoderOutput = graph.input('decoder_outputs', 'float', [1, width, 1]);
  const shape = graph.integers(1, 1, 1, width);
  const sum = graph.op('Add', [encoderOutput, decoderOutput]);
  graph.output('outputs', graph.op('Reshape', [sum, shape]), 'float', [1, 1, 1, width]);
  return graph;
}
