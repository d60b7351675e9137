/** Types of `chance.mjs` for programs in TypeScript. */
export class Chance {
  constructor(seed: number);
  next(): number;
  between(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
}
