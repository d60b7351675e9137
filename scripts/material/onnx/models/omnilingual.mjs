import {
  addSlowToneWork,
  delayByOneFrame,
  detectTonesInWave,
  markToneStarts,
} from '../feature-extractor.mjs';
import { encodeModel, Graph } from '../graph.mjs';
import { buildPieceLogits, buildVocabulary, TONES } from '../tones.mjs';

/** Samples per frame, as in real models. */
const HOP = 320;
const SPECIAL = ['<s>', '<pad>', '</s>', '<unk>'];
const PIECES = buildVocabulary();
/** Between words; no other token marks where a word begins. */
const SPACE = ' ';
const TOKENS = [...SPECIAL, ...PIECES.map((piece) => piece.replace('▁', '')), SPACE];
const BLANK = 8;

/** Omnilingual reads samples, which the library normalizes, and outputs a character, a space or nothing per frame. */
export function makeOmnilingual() {
  const graph = new Graph('omnilingual');
  const wave = graph.input('x', 'float', ['batch', 'num_samples']);
  const tones = addSlowToneWork(graph, detectTonesInWave(graph, wave, HOP));
  const starts = markToneStarts(graph, tones);
  const dims = [TONES.length, TOKENS.length];
  const spaces = graph.op('MatMul', [starts, graph.constant(buildSpaceWeights(), dims)]);
  const pieces = graph.op('MatMul', [
    delayByOneFrame(graph, starts),
    graph.constant(buildPieceWeights(), dims),
  ]);
  const blanks = new Float32Array(TOKENS.length);
  blanks[0] = BLANK;
  const tokens = graph.op('Add', [spaces, pieces]);
  const logits = graph.op('Add', [tokens, graph.constant(blanks, [TOKENS.length])]);
  graph.output('logits', logits, 'float', ['batch', 'num_frames', TOKENS.length]);
  return {
    'model.onnx': encodeModel(graph, {
      vocab_size: TOKENS.length,
      model_type: 'omnilingual-asr',
      sample_rate: 16_000,
    }),
    'tokens.txt': Buffer.from(TOKENS.map((token, id) => `${token} ${id}\n`).join('')),
  };
}

/** The matrix from tones to tokens. */
function buildPieceWeights() {
  const logits = buildPieceLogits();
  return TONES.flatMap((_, tone) => [
    ...SPECIAL.map(() => 0),
    ...logits.slice(tone * PIECES.length, (tone + 1) * PIECES.length),
    0,
  ]);
}

/** A tone whose piece begins a word is preceded by a space. */
function buildSpaceWeights() {
  const space = [...SPECIAL, ...PIECES].map(() => 0);
  return TONES.flatMap(({ piece }) => [...space, piece.startsWith('▁') ? 2 * BLANK : 0]);
}
