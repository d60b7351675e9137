/** Types of `voices.mjs` for programs in TypeScript. */
export const VOICE_HERTZ: [number, number, number];
export const HUM_HERTZ: number;
