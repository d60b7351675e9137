import type { DecodedToken } from './decode-tokens.js';

/** The text that pieces make, and for each of its UTF-16 units the pieces that it began and ended in. */
export interface TokenText {
  text: string;
  firstTokens: number[];
  lastTokens: number[];
}

/** Pieces may be parts of a character: it belongs to all of them. Bytes that make no character become U+FFFD. */
export function joinTokenText(pieces: readonly Pick<DecodedToken, 'bytes'>[]): TokenText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const owned: TokenText = { text: '', firstTokens: [], lastTokens: [] };
  let begun: number | null = null;
  pieces.forEach(({ bytes }, index) => {
    const isLast = index === pieces.length - 1;
    const decoded = decoder.decode(bytes, { stream: !isLast });
    owned.text += decoded;
    for (let at = 0; at < decoded.length; at += 1) {
      owned.firstTokens.push(at === 0 ? (begun ?? index) : index);
      owned.lastTokens.push(index);
    }
    if (decoded !== '') begun = endsInsideCharacter(bytes) ? index : null;
    else if (bytes.length > 0) begun ??= index;
  });
  return owned;
}

/** Whether the bytes end in the middle of a character. */
function endsInsideCharacter(bytes: Buffer): boolean {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
