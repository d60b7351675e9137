/** Types of `tones.mjs` for programs in TypeScript. */
export const TONE_SECONDS: number;
export function speak(pieces: string[]): Int16Array;
export function pieceStart(place: number): number;
