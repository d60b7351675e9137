/**
 * Encodes every byte as one printable character. Whisper tokens may be parts of a UTF-8 character, which the library drops
 * from its output; with a vocabulary of these symbols every token is complete.
 */
const FIRST_CODE_POINT = 0x100;

/** Maps bytes to characters from U+0100 on, except printable ASCII. Blanks are mapped, because the library strips them. */
export function encodeBytesAsSymbols(bytes: Iterable<number>): string {
  return String.fromCodePoint(
    ...Array.from(bytes, (byte) => (isPrintableAscii(byte) ? byte : FIRST_CODE_POINT + byte)),
  );
}

/** Inverse of `encodeBytesAsSymbols`; other characters are encoded in UTF-8. */
export function decodeSymbolsToBytes(symbols: string): Buffer {
  return Buffer.concat(
    [...symbols].map((symbol) => {
      const byte = (symbol.codePointAt(0) ?? 0) - FIRST_CODE_POINT;
      return byte >= 0 && byte < 0x100 ? Buffer.of(byte) : Buffer.from(symbol);
    }),
  );
}

/** Rewrites a Whisper vocabulary (`base64 id` per line) in symbols. Other lines are kept. */
export function encodeWhisperVocabularyAsSymbols(tokens: string): string {
  return tokens
    .split('\n')
    .map((line) => {
      const [, base64, id] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
      if (base64 === undefined || id === undefined) return line;
      const symbols = encodeBytesAsSymbols(Buffer.from(base64, 'base64'));
      return `${Buffer.from(symbols).toString('base64')} ${id}`;
    })
    .join('\n');
}

function isPrintableAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}
