import {
  castToFloat,
  markToneStarts,
  countToneEvents,
  addSlowToneWork,
  slice,
  detectTonesInWave,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { bytesOf, strengths, TONES, vocabulary } from '../tones.mjs';

/** Samples a frame, as the family has it. */
const HOP = 384;
const SPECIAL = ['<unk>', '<s>', '</s>'];
const END = SPECIAL.indexOf('</s>');
const PIECES = vocabulary();
const SIZE = SPECIAL.length + PIECES.length;
/** What begins in a frame, whether anything does, and how much has begun. */
const WIDTH = TONES.length + 2;

/** Moonshine: sound in, pieces one after the other, without times. */
export function moonshine() {
  const preprocessor = new Graph('preprocessor');
  const wave = preprocessor.input('args_0', 'float', [1, 'samples']);
  const talk = addSlowToneWork(preprocessor, detectTonesInWave(preprocessor, wave, HOP));
  preprocessor.output('sequential', talk, 'float', [1, 'frames', TONES.length]);

  const encoder = new Graph('encoder');
  const heard = encoder.input('args_0', 'float', [1, 'frames', TONES.length]);
  encoder.input('args_1', 'int32', [1]);
  encoder.output('output', numbered(encoder, heard), 'float', [1, 'frames', WIDTH]);
  return {
    'preprocess.onnx': encodeModel(preprocessor),
    'encode.onnx': encodeModel(encoder),
    'uncached_decode.onnx': encodeModel(decoder()),
    'cached_decode.onnx': encodeModel(decoder()),
    'tokens.txt': Buffer.from([...SPECIAL, ...PIECES].map((piece, id) => `${piece}\t${id}\n`).join('')),
  };
}

/** Moonshine as newer models of it are exported: a decoder that remembers, and a vocabulary in base64. */
export function mergedMoonshine() {
  const encoder = new Graph('encoder');
  const wave = encoder.input('input_values', 'float', [1, 'samples']);
  const heard = numbered(encoder, addSlowToneWork(encoder, detectTonesInWave(encoder, wave, HOP)));
  encoder.output('last_hidden_state', heard, 'float', [1, 'frames', WIDTH]);
  return {
    'encoder.onnx': encodeModel(encoder),
    'decoder.onnx': encodeModel(mergedDecoder()),
    'tokens.txt': Buffer.from(
      [...SPECIAL, ...PIECES].map((piece, id) => `${bytesOf(piece).toString('base64')} ${id}\n`).join(''),
    ),
  };
}

/** What begins, whether anything does, and how much has begun. */
function numbered(graph, talk) {
  const begun = markToneStarts(graph, talk);
  const { any, count } = countToneEvents(graph, begun);
  return graph.op('Concat', [begun, any, count], { axis: 2 });
}

function decoder() {
  const graph = new Graph('decoder');
  graph.input('args_0', 'int32', [1, 1]);
  const heard = graph.input('args_1', 'float', [1, 'frames', WIDTH]);
  const place = castToFloat(graph, graph.input('args_2', 'int32', [1]));
  graph.output('reversible_embedding', logitsAt(graph, heard, place), 'float', [1, 1, SIZE]);
  return graph;
}

/** It remembers a value a step, and so at which place it is. */
function mergedDecoder() {
  const graph = new Graph('decoder');
  graph.input('input_ids', 'int64', [1, 1]);
  const heard = graph.input('encoder_hidden_states', 'float', [1, 'frames', WIDTH]);
  const names = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const past = names.map((name) =>
    graph.input(`past_key_values.0.${name}`, 'float', [1, 1, `of ${name}`, 1]),
  );
  graph.input('use_cache_branch', 'bool', [1]);
  const one = graph.constant([1], [1, 1, 1, 1]);
  const steps = graph.op('Concat', [past[0], one], { axis: 2 });
  const place = graph.op('ReduceSum', [steps], { keepdims: 0 });
  graph.output('logits', logitsAt(graph, heard, place), 'float', [1, 1, SIZE]);
  const frames = graph.op('Unsqueeze', [slice(graph, heard, 2, 0, 1), graph.integers(0)]);
  [steps, graph.op('Concat', [past[1], one], { axis: 2 }), frames, frames].forEach((value, index) =>
    graph.output(`present.0.${names[index]}`, value, 'float', [1, 1, `more of ${names[index]}`, 1]),
  );
  return graph;
}

/** The piece that began at the place asked for, or the end. */
function logitsAt(graph, heard, place) {
  const begun = slice(graph, heard, 2, 0, TONES.length);
  const any = slice(graph, heard, 2, TONES.length, TONES.length + 1);
  const count = slice(graph, heard, 2, TONES.length + 1, WIDTH);
  const here = graph.op('Mul', [castToFloat(graph, graph.op('Equal', [count, place])), any]);
  const tone = graph.op('ReduceSum', [graph.op('Mul', [begun, here]), graph.integers(1)], { keepdims: 1 });
  const matrix = graph.constant(strengths(), [TONES.length, PIECES.length]);
  const special = new Float32Array(SPECIAL.length);
  special[END] = 1;
  const ends = graph.constant(special, [1, 1, SPECIAL.length]);
  return graph.op('Concat', [ends, graph.op('MatMul', [tone, matrix])], { axis: 2 });
}
