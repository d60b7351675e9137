import {
  markToneStarts,
  addSlowToneWork,
  slice,
  detectTonesInFeatures,
  SPECTRA,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { strengths, TONES, vocabulary } from '../tones.mjs';

/** Frames that are put side by side, and by how many the next ones begin later. */
const WINDOW = 7;
const SHIFT = 6;
const BINS = 80;
const PIECES = vocabulary();
const TAGS = ['<|en|>', '<|zh|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>'];
const TOKENS = ['<unk>', ...PIECES, ...TAGS];
const FIRST_TAG = 1 + PIECES.length;
const BLANK = 8;

/** SenseVoice: four tags (language, mood, kind, form of numbers), then a piece or nothing a frame. */
export function senseVoice() {
  const graph = new Graph('sense_voice');
  const features = graph.input('x', 'float', [1, 'time', BINS * WINDOW]);
  for (const name of ['x_length', 'language', 'text_norm']) graph.input(name, 'int32', [1]);
  const first = slice(graph, features, 2, 0, BINS);
  const begun = markToneStarts(
    graph,
    addSlowToneWork(graph, detectTonesInFeatures(graph, first, SPECTRA.senseVoice)),
  );
  const pieces = graph.op('MatMul', [begun, graph.constant(weights(), [TONES.length, TOKENS.length])]);
  const nothing = new Float32Array(TOKENS.length);
  nothing[0] = BLANK;
  const frames = graph.op('Add', [pieces, graph.constant(nothing, [TOKENS.length])]);
  const logits = graph.op('Concat', [tags(graph, begun), frames], { axis: 1 });
  graph.output('logits', logits, 'float', [1, 'frames', TOKENS.length]);
  const metadata = {
    vocab_size: TOKENS.length,
    lfr_window_size: WINDOW,
    lfr_window_shift: SHIFT,
    normalize_samples: 0,
    with_itn: 14,
    without_itn: 15,
    lang_auto: 0,
    lang_zh: 3,
    lang_en: 4,
    lang_yue: 7,
    lang_ja: 11,
    lang_ko: 12,
    neg_mean: new Array(BINS * WINDOW).fill(0).join(','),
    inv_stddev: new Array(BINS * WINDOW).fill(1).join(','),
  };
  return {
    'model.onnx': encodeModel(graph, metadata),
    'tokens.txt': Buffer.from(TOKENS.map((token, id) => `${token} ${id}\n`).join('')),
  };
}

/** From tones to tokens. */
function weights() {
  const of = strengths();
  return TONES.flatMap((_, tone) => [
    0,
    ...of.slice(tone * PIECES.length, (tone + 1) * PIECES.length),
    ...TAGS.map(() => 0),
  ]);
}

/** The tags: Chinese where a Chinese piece was heard, else English. */
function tags(graph, begun) {
  const chinese = TONES.map(({ piece }) => (/\p{Script=Han}/u.test(piece) ? 2 : 0));
  const heard = graph.op('ReduceMax', [begun], { axes: [1], keepdims: 1 });
  const told = graph.op('MatMul', [heard, graph.constant(chinese, [TONES.length, 1])]);
  const to = new Float32Array(TOKENS.length);
  to[FIRST_TAG + 1] = 1;
  const toChinese = graph.op('MatMul', [told, graph.constant(to, [1, TOKENS.length])]);
  const rows = [0, 2, 3, 4].flatMap((tag) => TOKENS.map((_, id) => (id === FIRST_TAG + tag ? 1 : 0)));
  const steady = graph.constant(rows, [1, 4, TOKENS.length]);
  const [language, rest] = [slice(graph, steady, 1, 0, 1), slice(graph, steady, 1, 1, 4)];
  return graph.op('Concat', [graph.op('Add', [language, toChinese]), rest], { axis: 1 });
}
