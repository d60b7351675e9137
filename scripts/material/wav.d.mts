/** Types of `wav.mjs` for programs in TypeScript. */
export const RATE: number;
export function buildWavHeader(samples: number, rate?: number): Buffer;
export function parseWav(bytes: Buffer): { rate: number; samples: Int16Array };
