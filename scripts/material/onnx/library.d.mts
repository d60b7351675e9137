/** Types of `library.mjs` for programs in TypeScript. */
export const MODEL_NAMES: string[];
export function makeModel(folder: string, name: string): Promise<string>;
