/** Types of `seeded-random.mjs` for programs in TypeScript. */
export class SeededRandom {
  constructor(seed: number);
  next(): number;
  between(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
}
