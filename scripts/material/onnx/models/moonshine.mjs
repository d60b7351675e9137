import {
  castToFloat,
  markToneStarts,
  countToneEvents,
  addSlowToneWork,
  slice,
  detectTonesInWave,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { pieceBytes, buildPieceLogits, TONES, buildVocabulary } from '../tones.mjs';

/** Samples per frame, as in real models. */
const HOP = 384;
const SPECIAL = ['<unk>', '<s>', '</s>'];
const END = SPECIAL.indexOf('</s>');
const PIECES = buildVocabulary();
const SIZE = SPECIAL.length + PIECES.length;
/** Values per frame: the tones that start, whether any does, and the number of starts so far. */
const WIDTH = TONES.length + 2;

export function makeMoonshine() {
  const preprocessor = new Graph('preprocessor');
  const wave = preprocessor.input('args_0', 'float', [1, 'samples']);
  const tones = addSlowToneWork(preprocessor, detectTonesInWave(preprocessor, wave, HOP));
  preprocessor.output('sequential', tones, 'float', [1, 'frames', TONES.length]);

  const encoder = new Graph('encoder');
  const encoded = encoder.input('args_0', 'float', [1, 'frames', TONES.length]);
  encoder.input('args_1', 'int32', [1]);
  encoder.output('output', numberToneStarts(encoder, encoded), 'float', [1, 'frames', WIDTH]);
  return {
    'preprocess.onnx': encodeModel(preprocessor),
    'encode.onnx': encodeModel(encoder),
    'uncached_decode.onnx': encodeModel(buildDecoder()),
    'cached_decode.onnx': encodeModel(buildDecoder()),
    'tokens.txt': Buffer.from([...SPECIAL, ...PIECES].map((piece, id) => `${piece}\t${id}\n`).join('')),
  };
}

/** As newer Moonshine models are exported: one decoder with a cache, and a vocabulary in base64. */
export function makeMergedMoonshine() {
  const encoder = new Graph('encoder');
  const wave = encoder.input('input_values', 'float', [1, 'samples']);
  const encoded = numberToneStarts(encoder, addSlowToneWork(encoder, detectTonesInWave(encoder, wave, HOP)));
  encoder.output('last_hidden_state', encoded, 'float', [1, 'frames', WIDTH]);
  return {
    'encoder.onnx': encodeModel(encoder),
    'decoder.onnx': encodeModel(buildMergedDecoder()),
    'tokens.txt': Buffer.from(
      [...SPECIAL, ...PIECES].map((piece, id) => `${pieceBytes(piece).toString('base64')} ${id}\n`).join(''),
    ),
  };
}

function numberToneStarts(graph, tones) {
  const starts = markToneStarts(graph, tones);
  const { any, count } = countToneEvents(graph, starts);
  return graph.op('Concat', [starts, any, count], { axis: 2 });
}

function buildDecoder() {
  const graph = new Graph('decoder');
  graph.input('args_0', 'int32', [1, 1]);
  const encoded = graph.input('args_1', 'float', [1, 'frames', WIDTH]);
  const position = castToFloat(graph, graph.input('args_2', 'int32', [1]));
  graph.output('reversible_embedding', buildLogits(graph, encoded, position), 'float', [1, 1, SIZE]);
  return graph;
}

/** The length of its cache is the number of decoded pieces. */
function buildMergedDecoder() {
  const graph = new Graph('decoder');
  graph.input('input_ids', 'int64', [1, 1]);
  const encoded = graph.input('encoder_hidden_states', 'float', [1, 'frames', WIDTH]);
  const names = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const past = names.map((name) =>
    graph.input(`past_key_values.0.${name}`, 'float', [1, 1, `of ${name}`, 1]),
  );
  graph.input('use_cache_branch', 'bool', [1]);
  const one = graph.constant([1], [1, 1, 1, 1]);
  const steps = graph.op('Concat', [past[0], one], { axis: 2 });
  const position = graph.op('ReduceSum', [steps], { keepdims: 0 });
  graph.output('logits', buildLogits(graph, encoded, position), 'float', [1, 1, SIZE]);
  const frames = graph.op('Unsqueeze', [slice(graph, encoded, 2, 0, 1), graph.integers(0)]);
  [steps, graph.op('Concat', [past[1], one], { axis: 2 }), frames, frames].forEach((value, index) =>
    graph.output(`present.0.${names[index]}`, value, 'float', [1, 1, `more of ${names[index]}`, 1]),
  );
  return graph;
}

/** Scores the piece that started at a position, or the end token if there is none. */
function buildLogits(graph, encoded, position) {
  const starts = slice(graph, encoded, 2, 0, TONES.length);
  const any = slice(graph, encoded, 2, TONES.length, TONES.length + 1);
  const count = slice(graph, encoded, 2, TONES.length + 1, WIDTH);
  const isPosition = graph.op('Mul', [castToFloat(graph, graph.op('Equal', [count, position])), any]);
  const tone = graph.op('ReduceSum', [graph.op('Mul', [starts, isPosition]), graph.integers(1)], {
    keepdims: 1,
  });
  const matrix = graph.constant(buildPieceLogits(), [TONES.length, PIECES.length]);
  const special = new Float32Array(SPECIAL.length);
  special[END] = 1;
  const endLogits = graph.constant(special, [1, 1, SPECIAL.length]);
  return graph.op('Concat', [endLogits, graph.op('MatMul', [tone, matrix])], { axis: 2 });
}
