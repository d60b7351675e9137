/**
 * Every byte as one printable character. A token of Whisper may be a part of a character; the library drops such parts
 * when it hands tokens out, so it is given a vocabulary in which every byte is a character of its own.
 */
const FIRST_CODE_POINT = 0x100;

/** Latin letters from U+0100 on; blanks included, which the library would strip. */
export function bytesToSymbols(bytes: Iterable<number>): string {
  return String.fromCodePoint(
    ...Array.from(bytes, (byte) => (isPrintableAscii(byte) ? byte : FIRST_CODE_POINT + byte)),
  );
}

/** The bytes that `bytesToSymbols` was given; other characters stand for themselves. */
export function symbolsToBytes(symbols: string): Buffer {
  return Buffer.concat(
    [...symbols].map((symbol) => {
      const byte = (symbol.codePointAt(0) ?? 0) - FIRST_CODE_POINT;
      return byte >= 0 && byte < 0x100 ? Buffer.of(byte) : Buffer.from(symbol);
    }),
  );
}

/**
 * A vocabulary of Whisper (`base64 id` a line) with every token in symbols. What is no such line is left as it is.
 */
export function toSymbolVocabulary(tokens: string): string {
  return tokens
    .split('\n')
    .map((line) => {
      const [, base64, id] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
      if (base64 === undefined || id === undefined) return line;
      const symbols = bytesToSymbols(Buffer.from(base64, 'base64'));
      return `${Buffer.from(symbols).toString('base64')} ${id}`;
    })
    .join('\n');
}

function isPrintableAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}
