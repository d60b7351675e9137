import { encodeModel, Graph } from '../graph.mjs';

const PUNCTUATIONS = ['<unk>', '_', '，', '。', '？', '、'];
const UNKNOWN = '<unk>';

/**
 * A punctuation model with the interface of CT-Transformer. The mark after a word depends only on that word.
 * @param {Record<string, string>} marks lower-case word or Chinese character -> one of `，。？、`
 */
export function makeCtTransformer(marks) {
  const tokens = [UNKNOWN, ...Object.keys(marks)];
  const table = tokens.flatMap((token) =>
    PUNCTUATIONS.map((mark) => (mark === (marks[token] ?? '_') ? 1 : 0)),
  );
  const graph = new Graph('punctuation');
  const text = graph.input('inputs', 'int32', [1, 'words']);
  graph.input('text_lengths', 'int32', [1]);
  const rows = graph.constant(table, [tokens.length, PUNCTUATIONS.length]);
  graph.output('logits', graph.op('Gather', [rows, text], { axis: 0 }), 'float', [
    1,
    'words',
    PUNCTUATIONS.length,
  ]);
  return encodeModel(graph, {
    tokens: tokens.join('|'),
    vocab_size: tokens.length,
    punctuations: PUNCTUATIONS.join('|'),
    unk_symbol: UNKNOWN,
  });
}
