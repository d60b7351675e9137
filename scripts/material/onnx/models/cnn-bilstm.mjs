import { encodeModel, Graph } from '../graph.mjs';

const SPECIAL = ['<unk>', '<s>', '</s>'];
const MARKS = { ',': 1, '.': 2, '?': 3 };
const CAPITALISED = 2;
/** Marks, and cases, of a word. */
const CLASSES = 4;
/** Tokens of a text that the library hands over at once. */
const LENGTH = 200;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/**
 * An English punctuation model with the interface of Edge-Punct-Casing. The mark after a word depends only on that word, and a
 * word has a capital if it has a mark.
 * @param {Record<string, string>} marks lower-case word -> one of `,.?`
 */
export function makeCnnBilstm(marks) {
  const words = Object.keys(marks).map((word) => `▁${word}`);
  const tokens = [...SPECIAL, '▁', ...LETTERS, ...words];
  const markOf = (token) => MARKS[marks[token.slice(1)]] ?? 0;
  const graph = new Graph('punctuation');
  const ids = graph.input('token_ids', 'int32', ['texts', LENGTH]);
  const valid = graph.input('valid_ids', 'int32', ['texts', LENGTH]);
  graph.input('label_lens', 'int32', ['texts']);
  const flatIds = graph.op('Reshape', [ids, graph.integers(-1)]);
  const isWord = graph.op('And', [
    graph.op('Equal', [graph.op('Reshape', [valid, graph.integers(-1)]), graph.scalar(1, 'int32')]),
    graph.op('Not', [isSpecial(graph, flatIds)]),
  ]);
  const wordIds = graph.op('Compress', [flatIds, isWord], { axis: 0 });
  addOutput(graph, 'case_logits', wordIds, tokens, (token) => (markOf(token) === 0 ? 0 : CAPITALISED));
  addOutput(graph, 'punct_logits', wordIds, tokens, markOf);
  const metadata = { COMMA: 1, PERIOD: 2, QUESTION: 3, UPPER: 1, CAP: CAPITALISED, MIX_CASE: 3 };
  return {
    'model.onnx': encodeModel(graph, metadata),
    'bpe.vocab': Buffer.from(
      tokens.map((token) => `${token}\t${words.includes(token) ? -1 : -9}\n`).join(''),
    ),
  };
}

function isSpecial(graph, ids) {
  const [start, end] = ['<s>', '</s>'].map((token) =>
    graph.op('Equal', [ids, graph.scalar(SPECIAL.indexOf(token), 'int32')]),
  );
  return graph.op('Or', [start, end]);
}

/** The class of each word as logits: [words, CLASSES]. */
function addOutput(graph, name, wordIds, tokens, classOf) {
  const rows = tokens.flatMap((token) =>
    Array.from({ length: CLASSES }, (_, index) => (index === classOf(token) ? 1 : 0)),
  );
  const table = graph.constant(rows, [tokens.length, CLASSES]);
  graph.output(name, graph.op('Gather', [table, wordIds], { axis: 0 }), 'float', ['words', CLASSES]);
}
