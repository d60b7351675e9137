import { asFloat, beginnings, counted, listenTo, slice, soundingInWave } from '../ears.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { strengths, TONES, vocabulary } from '../tones.mjs';

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
  const talk = listenTo(preprocessor, soundingInWave(preprocessor, wave, HOP));
  preprocessor.output('sequential', talk, 'float', [1, 'frames', TONES.length]);

  const encoder = new Graph('encoder');
  const heard = encoder.input('args_0', 'float', [1, 'frames', TONES.length]);
  encoder.input('args_1', 'int32', [1]);
  const begun = beginnings(encoder, heard);
  const { any, count } = counted(encoder, begun);
  encoder.output('output', encoder.op('Concat', [begun, any, count], { axis: 2 }), 'float', [
    1,
    'frames',
    WIDTH,
  ]);
  return {
    'preprocess.onnx': encodeModel(preprocessor),
    'encode.onnx': encodeModel(encoder),
    'uncached_decode.onnx': encodeModel(decoder()),
    'cached_decode.onnx': encodeModel(decoder()),
    'tokens.txt': Buffer.from([...SPECIAL, ...PIECES].map((piece, id) => `${piece}\t${id}\n`).join('')),
  };
}

/** The piece that began at the place asked for, or the end. */
function decoder() {
  const graph = new Graph('decoder');
  graph.input('args_0', 'int32', [1, 1]);
  const heard = graph.input('args_1', 'float', [1, 'frames', WIDTH]);
  const place = asFloat(graph, graph.input('args_2', 'int32', [1]));
  const begun = slice(graph, heard, 2, 0, TONES.length);
  const any = slice(graph, heard, 2, TONES.length, TONES.length + 1);
  const count = slice(graph, heard, 2, TONES.length + 1, WIDTH);
  const here = graph.op('Mul', [asFloat(graph, graph.op('Equal', [count, place])), any]);
  const tone = graph.op('ReduceSum', [graph.op('Mul', [begun, here]), graph.integers(1)], { keepdims: 1 });
  const matrix = graph.constant(strengths(), [TONES.length, PIECES.length]);
  const special = new Float32Array(SPECIAL.length);
  special[END] = 1;
  const ends = graph.constant(special, [1, 1, SPECIAL.length]);
  const logits = graph.op('Concat', [ends, graph.op('MatMul', [tone, matrix])], { axis: 2 });
  graph.output('reversible_embedding', logits, 'float', [1, 1, SIZE]);
  return graph;
}
