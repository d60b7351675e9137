/** Types of `tones.mjs` for programs in TypeScript. */
export const TONE_SECONDS: number;
export function renderPieces(pieces: string[]): Int16Array;
export function pieceStartSeconds(index: number): number;
