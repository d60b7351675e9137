/** Sounds that are easily taken for one another cost half. */
const SIMILAR_PHONES = [
  'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW',
  'B P',
  'D T DH TH',
  'G K',
  'V F W',
  'Z S ZH SH',
  'JH CH ZH SH',
  'M N NG',
  'L R ER',
  'Y IY',
].map((group) => new Set(group.split(' ')));

const SIMILAR_COST = 0.5;

/**
 * How unlike two runs of sounds are: 0 for the same, 1 for nothing in common. `most` ends the comparison early; what
 * is above it is told as 1.
 */
export function phoneDistance(a: readonly string[], b: readonly string[], maxDistance = 1): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 0;
  const budget = maxDistance * longest;
  if (Math.abs(a.length - b.length) > budget) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [index, one] of a.entries()) {
    const next = [index + 1];
    for (const [at, other] of b.entries()) {
      const swapped = (row[at] ?? 0) + substitutionCost(one, other);
      next.push(Math.min(swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    if (Math.min(...next) > budget) return 1;
    row = next;
  }
  return Math.min(1, (row[b.length] ?? 0) / longest);
}

function substitutionCost(one: string, other: string): number {
  if (one === other) return 0;
  return SIMILAR_PHONES.some((group) => group.has(one) && group.has(other)) ? SIMILAR_COST : 1;
}
