/** Longer names are not compared. */
const MAX_NAME_LENGTH = 40;

/** Ignores case and separators. @param maxEdits by candidate; a third of its length by default */
export function findNearestName(
  name: string,
  known: readonly string[],
  maxEdits = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3)),
): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const plain = normalizeName(name);
  const [nearest] = known
    .map((candidate) => ({ candidate, text: normalizeName(candidate) }))
    // Each edit changes the length by one at most. Every start compares all variables of the environment with all settings.
    .filter(({ candidate, text }) => Math.abs(text.length - plain.length) <= maxEdits(candidate))
    .map(({ candidate, text }) => ({ candidate, distance: editDistance(plain, text) }))
    .filter(({ candidate, distance }) => distance <= maxEdits(candidate))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.candidate;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Optimal string alignment distance. */
function editDistance(from: string, to: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (above[at - 1] ?? 0) + (from[row] === to[at - 1] ? 0 : 1);
      const isSwap = row > 0 && at > 1 && from[row] === to[at - 2] && from[row - 1] === to[at - 1];
      const swapped = isSwap ? (twoAbove[at - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    [twoAbove, above] = [above, current];
  }
  return above.at(-1) ?? 0;
}
