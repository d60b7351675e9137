/** Types of `voices.mjs` for programs in TypeScript. */
export const VOICES: [number, number, number];
export const HUM_HERTZ: number;
