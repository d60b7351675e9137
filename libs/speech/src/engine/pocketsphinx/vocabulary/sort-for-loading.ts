/** What the sounds of a word begin with: the first two of them, as far as there are two. */
const BEGINNING = /^\S+\s+(\S+(?: \S+)?)/;
const VARIANT = /^\S+\(\d+\)\s/;

/**
 * Lines of a pronouncing dictionary in the order in which the program loads them fastest: the commonest beginnings first.
 * It keeps a list of all pairs of sounds that words begin with, in the order it meets them, and goes through it from its
 * start for every line. Words are heard as in any other order. Variants (`word(2)`) must come behind their words.
 */
export function sortForLoading(lines: readonly string[]): string[] {
  const words = new Map<string, string[]>();
  const variants: string[] = [];
  for (const line of lines) {
    if (VARIANT.test(line)) {
      variants.push(line);
      continue;
    }
    const beginning = BEGINNING.exec(line)?.[1] ?? '';
    const alike = words.get(beginning);
    if (alike) alike.push(line);
    else words.set(beginning, [line]);
  }
  return [...[...words.values()].toSorted((a, b) => b.length - a.length).flat(), ...variants];
}
