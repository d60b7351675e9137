/** How many ids the recognizers that use this vocabulary can write; what lies past the vocabulary are marks, not text. */
const IDS = 32_768;
/** A token that is a single byte. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** In the vocabulary this sign stands for a blank. */
const BLANK = '\u2581';

/**
 * The token file of a Moonshine recognizer (`base64 id` a line), from the vocabulary it was trained with: the source
 * text of a tokenizer that holds all tokens, a line each, as one base64 string. The text is read, never run.
 *
 * Throws `SyntaxError` when there is no vocabulary in it.
 */
export function tokenFile(tokenizerSource: string): string {
  const [, packed] = /vocab_base64\s*=\s*"([A-Za-z0-9+/=]+)"/.exec(tokenizerSource) ?? [];
  if (packed === undefined) throw new SyntaxError('There is no vocabulary in the tokenizer.');
  const vocabulary = Buffer.from(packed, 'base64').toString('utf8').split('\n');
  return Array.from({ length: IDS }, (_, id) => `${encode(vocabulary[id], id)} ${id}\n`).join('');
}

function encode(token: string | undefined, id: number): string {
  if (token === undefined) return Buffer.from(`<<ST_${id}>>`).toString('base64');
  const [, byte] = BYTE.exec(token) ?? [];
  const bytes = byte === undefined ? Buffer.from(token.replaceAll(BLANK, ' ')) : Buffer.from(byte, 'hex');
  return bytes.toString('base64');
}
