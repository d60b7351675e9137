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
import { bytesOf, strengths, TONES, vocabulary } from '../tones.mjs';

const PIECES = vocabulary();
const SPECIAL = ['end', 'start', 'en', 'zh', 'translate', 'transcribe', 'nospeech', 'notimestamps'];
const idOf = (name) => PIECES.length + SPECIAL.indexOf(name);
/** One token for every 20 ms of half a minute. */
const TIMES = 1501;
const SIZE = PIECES.length + SPECIAL.length + TIMES;
const CONTEXT = 448;
/** Tokens before the first one that is decoded, where the model is to tell times. */
const PROMPT_WITH_TIMES = 3;
/** What begins; whether anything does, and how much has begun; the same of what ends. */
const K = TONES.length;
const WIDTH = K + 4;

/**
 * Whisper: pieces one after the other, with tokens of time around each when it is asked to.
 * @param {{ attention: boolean }} options attention: exported with its attention, from which times of tokens are made
 */
export function whisper({ attention }) {
  const metadata = {
    model_type: 'whisper-tiny',
    n_mels: 80,
    n_text_layer: 1,
    n_text_ctx: CONTEXT,
    n_text_state: WIDTH,
    n_vocab: SIZE,
    sot: idOf('start'),
    eot: idOf('end'),
    blank_id: 0,
    translate: idOf('translate'),
    transcribe: idOf('transcribe'),
    is_multilingual: 1,
    no_timestamps: idOf('notimestamps'),
    no_speech: idOf('nospeech'),
    sot_sequence: [idOf('start'), idOf('en'), idOf('transcribe')].join(','),
    all_language_tokens: [idOf('en'), idOf('zh')].join(','),
    all_language_codes: 'en,zh',
    ...(attention ? { n_alignment_heads: 1 } : {}),
  };
  return {
    'encoder.onnx': encodeModel(encoder(), metadata),
    'decoder.onnx': encodeModel(decoder(attention)),
    'tokens.txt': Buffer.from(
      PIECES.map((piece, id) => `${bytesOf(piece).toString('base64')} ${id}\n`).join(''),
    ),
  };
}

function encoder() {
  const graph = new Graph('encoder');
  const mel = graph.input('mel', 'float', [1, 80, 'time']);
  const features = takeEveryNthFrame(graph, graph.op('Transpose', [mel], { perm: [0, 2, 1] }), 2);
  const talk = addSlowToneWork(graph, detectTonesInFeatures(graph, features, SPECTRA.whisper));
  const begun = markToneStarts(graph, talk);
  const starts = countToneEvents(graph, begun);
  const ends = countToneEvents(graph, markToneEnds(graph, talk));
  const heard = graph.op('Concat', [begun, starts.any, starts.count, ends.any, ends.count], { axis: 2 });
  const layered = graph.op('Unsqueeze', [heard, graph.integers(0)]);
  for (const name of ['n_layer_cross_k', 'n_layer_cross_v'])
    graph.output(name, layered, 'float', [1, 1, 'frames', WIDTH]);
  return graph;
}

function decoder(attention) {
  const graph = new Graph('decoder');
  const tokens = graph.input('tokens', 'int64', [1, 'tokens']);
  const cache = ['k', 'v'].map((name) =>
    graph.input(`in_n_layer_self_${name}_cache`, 'float', [1, 1, CONTEXT, WIDTH]),
  );
  const cross = ['k', 'v'].map((name) =>
    graph.input(`n_layer_cross_${name}`, 'float', [1, 1, 'frames', WIDTH]),
  );
  const offset = castToFloat(graph, graph.input('offset', 'int64', [1]));

  const given = graph.op('Shape', [tokens], { start: 1, end: 2 });
  const length = castToFloat(graph, given);
  // The cache keeps what the first call alone can see: how long the prompt is.
  const first = castToFloat(graph, graph.op('Equal', [offset, graph.constant([0], [1])]));
  const change = graph.op('Mul', [first, graph.op('Sub', [length, cache[0]])]);
  const kept = graph.op('Add', [cache[0], change]);
  const prompt = graph.op('ReduceMax', [kept], { keepdims: 0 });
  const place = graph.op('Sub', [graph.op('Add', [offset, length]), prompt]);

  const heard = graph.op('Squeeze', [cross[0], graph.integers(0)]);
  const last = lastLogits(graph, heard, place, prompt);
  const shape = graph.op('Concat', [graph.integers(1), given, graph.integers(1)], { axis: 0 });
  graph.output('logits', graph.op('Expand', [last, shape]), 'float', [1, 'tokens', SIZE]);
  graph.output('out_n_layer_self_k_cache', kept, 'float', [1, 1, CONTEXT, WIDTH]);
  graph.output('out_n_layer_self_v_cache', cache[1], 'float', [1, 1, CONTEXT, WIDTH]);
  if (attention) attend(graph, heard, place, given);
  return graph;
}

/** With times every piece takes three places: when it begins, what it is, when it ends. */
function lastLogits(graph, heard, place, prompt) {
  const timed = castToFloat(graph, graph.op('Equal', [prompt, graph.scalar(PROMPT_WITH_TIMES)]));
  const untimed = graph.op('Sub', [graph.scalar(1), timed]);
  const third = graph.op('Floor', [
    graph.op('Div', [graph.op('Add', [place, graph.scalar(0.1)]), graph.scalar(3)]),
  ]);
  const part = graph.op('Sub', [place, graph.op('Mul', [third, graph.scalar(3)])]);
  const index = graph.op('Add', [graph.op('Mul', [timed, third]), graph.op('Mul', [untimed, place])]);
  const ordinal = graph.op('Add', [index, graph.scalar(1)]);
  const isPart = (which) =>
    graph.op('Mul', [timed, castToFloat(graph, graph.op('Equal', [part, graph.scalar(which)]))]);

  const start = momentOf(graph, heard, K, ordinal);
  const end = momentOf(graph, heard, K + 2, ordinal);
  const tone = graph.op(
    'ReduceSum',
    [graph.op('Mul', [slice(graph, heard, 2, 0, K), start]), graph.integers(1)],
    { keepdims: 1 },
  );
  const matrix = graph.constant(strengths(18, 17), [K, PIECES.length]);
  const says = graph.op('Add', [untimed, isPart(1)]);
  const text = graph.op('Mul', [graph.op('MatMul', [tone, matrix]), says]);
  const times = graph.op('Add', [
    graph.op('Mul', [timeLogits(graph, start), isPart(0)]),
    graph.op('Mul', [timeLogits(graph, end), isPart(2)]),
  ]);
  return graph.op('Concat', [text, special(graph, heard), times], { axis: 2 });
}

/** 1 in the frame of the happening of this number: [1, time, 1]. */
function momentOf(graph, heard, column, ordinal) {
  const any = slice(graph, heard, 2, column, column + 1);
  const count = slice(graph, heard, 2, column + 1, column + 2);
  return graph.op('Mul', [any, castToFloat(graph, graph.op('Equal', [count, ordinal]))]);
}

/** A frame is as long as a token of time: 20 ms. */
function timeLogits(graph, moment) {
  const row = graph.op('Transpose', [moment], { perm: [0, 2, 1] });
  const frames = graph.op('Shape', [row], { start: 2, end: 3 });
  const missing = graph.op('Sub', [graph.integers(TIMES), frames]);
  const pads = graph.op('Concat', [graph.integers(0, 0, 0, 0, 0), missing], { axis: 0 });
  return graph.op('Mul', [graph.op('Pad', [row, pads]), graph.scalar(30)]);
}

/** The end, which comes when there is nothing else; and the language: Chinese where a Chinese piece was heard. */
function special(graph, heard) {
  const row = new Float32Array(SPECIAL.length);
  row[SPECIAL.indexOf('end')] = 9;
  row[SPECIAL.indexOf('en')] = 1;
  const chinese = TONES.flatMap(({ piece }) =>
    SPECIAL.map((name) => (name === 'zh' && /\p{Script=Han}/u.test(piece) ? 2 : 0)),
  );
  const any = graph.op('ReduceMax', [slice(graph, heard, 2, 0, K)], { axes: [1], keepdims: 1 });
  const told = graph.op('MatMul', [any, graph.constant(chinese, [K, SPECIAL.length])]);
  return graph.op('Add', [told, graph.constant(row, [1, 1, SPECIAL.length])]);
}

/** What says a token looks at the sound from where that token begins to where the next one does. */
function attend(graph, heard, place, given) {
  const count = slice(graph, heard, 2, K + 1, K + 2);
  const ordinal = graph.op('Add', [place, graph.scalar(1)]);
  const looked = graph.op('Mul', [castToFloat(graph, graph.op('Equal', [count, ordinal])), graph.scalar(5)]);
  const row = graph.op('Unsqueeze', [
    graph.op('Transpose', [looked], { perm: [0, 2, 1] }),
    graph.integers(0),
  ]);
  const shape = graph.op('Concat', [graph.integers(1, 1), given, graph.integers(1)], { axis: 0 });
  graph.output('cross_attention_weights', graph.op('Expand', [row, shape]), 'float', [
    1,
    1,
    'tokens',
    'frames',
  ]);
}
