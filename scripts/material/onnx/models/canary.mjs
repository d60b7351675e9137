import {
  addSlowToneWork,
  castToFloat,
  countToneEvents,
  detectTonesInFeatures,
  markToneStarts,
  slice,
  SPECTRA,
  takeEveryNthFrame,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { buildPieceLogits, buildVocabulary, TONES } from '../tones.mjs';

const PIECES = buildVocabulary();
const LANGUAGES = ['en', 'es', 'de', 'fr'];
const CONTROLS = ['startofcontext', 'startoftranscript', 'emo:undefined', 'pnc', 'nopnc'];
const SPECIAL = ['endoftext', ...CONTROLS, 'noitn', 'notimestamp', 'nodiarize', ...LANGUAGES].map(
  (name) => `<|${name}|>`,
);
const TOKENS = [...SPECIAL, ...PIECES];
const SUBSAMPLING = 8;
const PROMPT_LENGTH = 9;
/** Place of the spoken language in the prompt. */
const LANGUAGE_AT = 3;
/** Values per frame: the tones that start, whether any does, and the number of starts so far. */
const WIDTH = TONES.length + 2;

/** Canary as NeMo exports it: the prompt tells the language; in another one than English the model writes nothing. */
export function makeCanary() {
  const metadata = {
    model_type: 'EncDecMultiTaskModel',
    vocab_size: TOKENS.length,
    normalize_type: '',
    subsampling_factor: SUBSAMPLING,
    feat_dim: 80,
    num_decoder_layers: 1,
    decoder_hidden_size: 1,
  };
  return {
    'encoder.onnx': encodeModel(buildEncoder(), metadata),
    'decoder.onnx': encodeModel(buildDecoder()),
    'tokens.txt': Buffer.from(TOKENS.map((token, id) => `${token} ${id}\n`).join('')),
  };
}

function buildEncoder() {
  const graph = new Graph('encoder');
  const features = graph.input('audio_signal', 'float', [1, 'time', 80]);
  const length = graph.input('length', 'int64', [1]);
  const tones = addSlowToneWork(graph, detectTonesInFeatures(graph, features, SPECTRA.nemo));
  const starts = markToneStarts(graph, takeEveryNthFrame(graph, tones, SUBSAMPLING));
  const { any, count } = countToneEvents(graph, starts);
  const encoded = graph.op('Concat', [starts, any, count], { axis: 2 });
  graph.output('encoder_states', encoded, 'float', [1, 'frames', WIDTH]);
  graph.output('encoded_len', length, 'int64', [1]);
  const mask = graph.op('Squeeze', [graph.op('Cast', [any], { to: 9 }), graph.integers(2)]);
  graph.output('enc_mask', mask, 'bool', [1, 'frames']);
  return graph;
}

/** Its state is the tokens so far, the prompt included. */
function buildDecoder() {
  const graph = new Graph('decoder');
  const input = graph.input('decoder_input', 'int32', [1, 2]);
  const past = graph.input('decoder_mems', 'float', [1, 'past', 1]);
  const encoded = graph.input('encoder_states', 'float', [1, 'frames', WIDTH]);
  graph.input('enc_mask', 'bool', [1, 'frames']);
  const token = graph.op('Unsqueeze', [castToFloat(graph, slice(graph, input, 1, 0, 1)), graph.integers(2)]);
  const tokens = graph.op('Concat', [past, token], { axis: 1 });
  graph.output('logits', buildLogits(graph, encoded, tokens), 'float', [1, 1, TOKENS.length]);
  graph.output('next_decoder_mems', tokens, 'float', [1, 'tokens', 1]);
  return graph;
}

/** Scores the piece whose turn it is, or the end if there is none. */
function buildLogits(graph, encoded, tokens) {
  const steps = castToFloat(graph, slice(graph, graph.op('Shape', [tokens]), 0, 1, 2));
  const position = graph.op('Sub', [steps, graph.scalar(PROMPT_LENGTH - 1)]);
  const starts = slice(graph, encoded, 2, 0, TONES.length);
  const any = slice(graph, encoded, 2, TONES.length, TONES.length + 1);
  const count = slice(graph, encoded, 2, TONES.length + 1, WIDTH);
  const isPosition = graph.op('Mul', [castToFloat(graph, graph.op('Equal', [count, position])), any]);
  const tone = graph.op('ReduceSum', [graph.op('Mul', [starts, isPosition]), graph.integers(1)], {
    keepdims: 1,
  });
  const language = slice(graph, tokens, 1, LANGUAGE_AT, LANGUAGE_AT + 1);
  const isEnglish = castToFloat(
    graph,
    graph.op('Equal', [language, graph.scalar(SPECIAL.indexOf('<|en|>'))]),
  );
  const english = graph.op('ReduceSum', [isEnglish, graph.integers(0, 1, 2)], { keepdims: 0 });
  const matrix = graph.constant(buildPieceLogits(), [TONES.length, PIECES.length]);
  const pieces = graph.op('MatMul', [graph.op('Mul', [tone, english]), matrix]);
  const special = SPECIAL.map((name) => (name === '<|endoftext|>' ? 1 : 0));
  return graph.op('Concat', [graph.constant(special, [1, 1, SPECIAL.length]), pieces], { axis: 2 });
}
