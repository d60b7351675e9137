import {
  markToneStarts,
  addSlowToneWork,
  slice,
  detectTonesInFeatures,
  SPECTRA,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { buildPieceLogits, TONES, buildVocabulary } from '../tones.mjs';

/** Frames that are stacked, and the distance between stacks in frames. */
const WINDOW = 7;
const SHIFT = 6;
const BINS = 80;
const PIECES = buildVocabulary();
const TAGS = ['<|en|>', '<|zh|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>'];
const TOKENS = ['<unk>', ...PIECES, ...TAGS];
const FIRST_TAG = 1 + PIECES.length;
const BLANK = 8;

/** SenseVoice outputs four tags (language, emotion, event, number format), then a piece or a blank per frame. */
export function makeSenseVoice() {
  const graph = new Graph('sense_voice');
  const features = graph.input('x', 'float', [1, 'time', BINS * WINDOW]);
  for (const name of ['x_length', 'language', 'text_norm']) graph.input(name, 'int32', [1]);
  const first = slice(graph, features, 2, 0, BINS);
  const starts = markToneStarts(
    graph,
    addSlowToneWork(graph, detectTonesInFeatures(graph, first, SPECTRA.senseVoice)),
  );
  const pieces = graph.op('MatMul', [starts, graph.constant(buildWeights(), [TONES.length, TOKENS.length])]);
  const blankLogits = new Float32Array(TOKENS.length);
  blankLogits[0] = BLANK;
  const frames = graph.op('Add', [pieces, graph.constant(blankLogits, [TOKENS.length])]);
  const logits = graph.op('Concat', [buildTagLogits(graph, starts), frames], { axis: 1 });
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

/** The matrix from tones to tokens. */
function buildWeights() {
  const logits = buildPieceLogits();
  return TONES.flatMap((_, tone) => [
    0,
    ...logits.slice(tone * PIECES.length, (tone + 1) * PIECES.length),
    ...TAGS.map(() => 0),
  ]);
}

/** The language is Chinese if a Chinese piece is detected, else English. */
function buildTagLogits(graph, starts) {
  const chinese = TONES.map(({ piece }) => (/\p{Script=Han}/u.test(piece) ? 2 : 0));
  const detected = graph.op('ReduceMax', [starts], { axes: [1], keepdims: 1 });
  const chineseScore = graph.op('MatMul', [detected, graph.constant(chinese, [TONES.length, 1])]);
  const chineseTag = new Float32Array(TOKENS.length);
  chineseTag[FIRST_TAG + 1] = 1;
  const toChinese = graph.op('MatMul', [chineseScore, graph.constant(chineseTag, [1, TOKENS.length])]);
  const rows = [0, 2, 3, 4].flatMap((tag) => TOKENS.map((_, id) => (id === FIRST_TAG + tag ? 1 : 0)));
  const steady = graph.constant(rows, [1, 4, TOKENS.length]);
  const [language, rest] = [slice(graph, steady, 1, 0, 1), slice(graph, steady, 1, 1, 4)];
  return graph.op('Concat', [graph.op('Add', [language, toChinese]), rest], { axis: 1 });
}
