/** Types of `library.mjs` for programs in TypeScript. */
export function makeModel(folder: string, name: string): Promise<string>;
