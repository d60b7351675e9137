import {
  castToFloat,
  markToneStarts,
  countToneEvents,
  markToneEnds,
  takeEveryNthFrame,
  addSlowToneWork,
  slice,
  detectTonesInFeatures,
  SPECTRA,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { pieceBytes, buildPieceLogits, TONES, buildVocabulary } from '../tones.mjs';

const PIECES = buildVocabulary();
const SPECIAL = ['end', 'start', 'en', 'zh', 'translate', 'transcribe', 'nospeech', 'notimestamps'];
const getTokenId = (name) => PIECES.length + SPECIAL.indexOf(name);
/** One per 20 ms of half a minute. */
const TIME_TOKENS = 1501;
const VOCABULARY_SIZE = PIECES.length + SPECIAL.length + TIME_TOKENS;
const CONTEXT = 448;
/** Tokens of the prompt if timestamps are requested. */
const TIMED_PROMPT_LENGTH = 3;
const TONE_COUNT = TONES.length;
/** Values per frame: the tones that start, then whether any starts and the number so far, and the same of ends. */
const WIDTH = TONE_COUNT + 4;

/**
 * @param {{ attention: boolean }} options attention: exported with cross attention, from which token times are computed
 */
export function makeWhisper({ attention }) {
  const metadata = {
    model_type: 'whisper-tiny',
    n_mels: 80,
    n_text_layer: 1,
    n_text_ctx: CONTEXT,
    n_text_state: WIDTH,
    n_vocab: VOCABULARY_SIZE,
    sot: getTokenId('start'),
    eot: getTokenId('end'),
    blank_id: 0,
    translate: getTokenId('translate'),
    transcribe: getTokenId('transcribe'),
    is_multilingual: 1,
    no_timestamps: getTokenId('notimestamps'),
    no_speech: getTokenId('nospeech'),
    sot_sequence: [getTokenId('start'), getTokenId('en'), getTokenId('transcribe')].join(','),
    all_language_tokens: [getTokenId('en'), getTokenId('zh')].join(','),
    all_language_codes: 'en,zh',
    ...(attention ? { n_alignment_heads: 1 } : {}),
  };
  return {
    'encoder.onnx': encodeModel(buildEncoder(), metadata),
    'decoder.onnx': encodeModel(buildDecoder(attention)),
    'tokens.txt': Buffer.from(
      PIECES.map((piece, id) => `${pieceBytes(piece).toString('base64')} ${id}\n`).join(''),
    ),
  };
}

function buildEncoder() {
  const graph = new Graph('encoder');
  const mel = graph.input('mel', 'float', [1, 80, 'time']);
  const features = takeEveryNthFrame(graph, graph.op('Transpose', [mel], { perm: [0, 2, 1] }), 2);
  const tones = addSlowToneWork(graph, detectTonesInFeatures(graph, features, SPECTRA.whisper));
  const toneStarts = markToneStarts(graph, tones);
  const starts = countToneEvents(graph, toneStarts);
  const ends = countToneEvents(graph, markToneEnds(graph, tones));
  const encoded = graph.op('Concat', [toneStarts, starts.any, starts.count, ends.any, ends.count], {
    axis: 2,
  });
  const stateWithLayer = graph.op('Unsqueeze', [encoded, graph.integers(0)]);
  for (const name of ['n_layer_cross_k', 'n_layer_cross_v'])
    graph.output(name, stateWithLayer, 'float', [1, 1, 'frames', WIDTH]);
  return graph;
}

function buildDecoder(attention) {
  const graph = new Graph('decoder');
  const tokens = graph.input('tokens', 'int64', [1, 'tokens']);
  const cache = ['k', 'v'].map((name) =>
    graph.input(`in_n_layer_self_${name}_cache`, 'float', [1, 1, CONTEXT, WIDTH]),
  );
  const cross = ['k', 'v'].map((name) =>
    graph.input(`n_layer_cross_${name}`, 'float', [1, 1, 'frames', WIDTH]),
  );
  const offset = castToFloat(graph, graph.input('offset', 'int64', [1]));

  const tokenCount = graph.op('Shape', [tokens], { start: 1, end: 2 });
  const length = castToFloat(graph, tokenCount);
  // Only the first call sees the whole prompt, so its length is cached.
  const first = castToFloat(graph, graph.op('Equal', [offset, graph.constant([0], [1])]));
  const change = graph.op('Mul', [first, graph.op('Sub', [length, cache[0]])]);
  const promptLengthCache = graph.op('Add', [cache[0], change]);
  const prompt = graph.op('ReduceMax', [promptLengthCache], { keepdims: 0 });
  const position = graph.op('Sub', [graph.op('Add', [offset, length]), prompt]);

  const encoded = graph.op('Squeeze', [cross[0], graph.integers(0)]);
  const last = buildLastLogits(graph, encoded, position, prompt);
  const shape = graph.op('Concat', [graph.integers(1), tokenCount, graph.integers(1)], { axis: 0 });
  graph.output('logits', graph.op('Expand', [last, shape]), 'float', [1, 'tokens', VOCABULARY_SIZE]);
  graph.output('out_n_layer_self_k_cache', promptLengthCache, 'float', [1, 1, CONTEXT, WIDTH]);
  graph.output('out_n_layer_self_v_cache', cache[1], 'float', [1, 1, CONTEXT, WIDTH]);
  if (attention) addAttentionOutput(graph, encoded, position, tokenCount);
  return graph;
}

/** With timestamps every piece takes three positions: start time, piece, end time. */
function buildLastLogits(graph, encoded, position, prompt) {
  const timed = castToFloat(graph, graph.op('Equal', [prompt, graph.scalar(TIMED_PROMPT_LENGTH)]));
  const untimed = graph.op('Sub', [graph.scalar(1), timed]);
  const pieceIndex = graph.op('Floor', [
    graph.op('Div', [graph.op('Add', [position, graph.scalar(0.1)]), graph.scalar(3)]),
  ]);
  const positionInPiece = graph.op('Sub', [position, graph.op('Mul', [pieceIndex, graph.scalar(3)])]);
  const index = graph.op('Add', [graph.op('Mul', [timed, pieceIndex]), graph.op('Mul', [untimed, position])]);
  const ordinal = graph.op('Add', [index, graph.scalar(1)]);
  const isTimedPosition = (which) =>
    graph.op('Mul', [timed, castToFloat(graph, graph.op('Equal', [positionInPiece, graph.scalar(which)]))]);

  const start = markEventFrame(graph, encoded, TONE_COUNT, ordinal);
  const end = markEventFrame(graph, encoded, TONE_COUNT + 2, ordinal);
  const tone = graph.op(
    'ReduceSum',
    [graph.op('Mul', [slice(graph, encoded, 2, 0, TONE_COUNT), start]), graph.integers(1)],
    { keepdims: 1 },
  );
  const matrix = graph.constant(buildPieceLogits(18, 17), [TONE_COUNT, PIECES.length]);
  const isText = graph.op('Add', [untimed, isTimedPosition(1)]);
  const text = graph.op('Mul', [graph.op('MatMul', [tone, matrix]), isText]);
  const times = graph.op('Add', [
    graph.op('Mul', [buildTimeLogits(graph, start), isTimedPosition(0)]),
    graph.op('Mul', [buildTimeLogits(graph, end), isTimedPosition(2)]),
  ]);
  return graph.op('Concat', [text, buildSpecialLogits(graph, encoded), times], { axis: 2 });
}

/** @returns 1 in the frame of the event with this ordinal: [1, time, 1] */
function markEventFrame(graph, encoded, column, ordinal) {
  const any = slice(graph, encoded, 2, column, column + 1);
  const count = slice(graph, encoded, 2, column + 1, column + 2);
  return graph.op('Mul', [any, castToFloat(graph, graph.op('Equal', [count, ordinal]))]);
}

/** A frame is as long as a step of timestamp tokens: 20 ms. */
function buildTimeLogits(graph, eventFrame) {
  const row = graph.op('Transpose', [eventFrame], { perm: [0, 2, 1] });
  const frames = graph.op('Shape', [row], { start: 2, end: 3 });
  const missing = graph.op('Sub', [graph.integers(TIME_TOKENS), frames]);
  const pads = graph.op('Concat', [graph.integers(0, 0, 0, 0, 0), missing], { axis: 0 });
  return graph.op('Mul', [graph.op('Pad', [row, pads]), graph.scalar(30)]);
}

/** The end token wins if there is no piece. The language is Chinese if a Chinese piece is detected, else English. */
function buildSpecialLogits(graph, encoded) {
  const row = new Float32Array(SPECIAL.length);
  row[SPECIAL.indexOf('end')] = 9;
  row[SPECIAL.indexOf('en')] = 1;
  const chinese = TONES.flatMap(({ piece }) =>
    SPECIAL.map((name) => (name === 'zh' && /\p{Script=Han}/u.test(piece) ? 2 : 0)),
  );
  const any = graph.op('ReduceMax', [slice(graph, encoded, 2, 0, TONE_COUNT)], { axes: [1], keepdims: 1 });
  const languageLogits = graph.op('MatMul', [any, graph.constant(chinese, [TONE_COUNT, SPECIAL.length])]);
  return graph.op('Add', [languageLogits, graph.constant(row, [1, 1, SPECIAL.length])]);
}

/** A token attends to the frames from its start to the start of the next one. */
function addAttentionOutput(graph, encoded, position, tokenCount) {
  const count = slice(graph, encoded, 2, TONE_COUNT + 1, TONE_COUNT + 2);
  const ordinal = graph.op('Add', [position, graph.scalar(1)]);
  const attention = graph.op('Mul', [
    castToFloat(graph, graph.op('Equal', [count, ordinal])),
    graph.scalar(5),
  ]);
  const row = graph.op('Unsqueeze', [
    graph.op('Transpose', [attention], { perm: [0, 2, 1] }),
    graph.integers(0),
  ]);
  const shape = graph.op('Concat', [graph.integers(1, 1), tokenCount, graph.integers(1)], { axis: 0 });
  graph.output('cross_attention_weights', graph.op('Expand', [row, shape]), 'float', [
    1,
    1,
    'tokens',
    'frames',
  ]);
}
