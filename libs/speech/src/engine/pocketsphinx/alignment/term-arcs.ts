export interface AlignedWordPronunciations {
  /** Lists of phones, likeliest first. */
  pronunciations: readonly (readonly string[])[];
  /** Unigram probability in the language model, 0 to 1. */
  unigramProbability: number;
}

/** `name` is the one that the engine prints. */
export interface PronouncedTerm {
  name: string;
  pronunciations: readonly (readonly string[])[];
}

/** An alternative path through the graph: a term in place of the words `from` up to, not including, `to`. */
export interface TermArc {
  from: number;
  to: number;
  name: string;
  /** From `computePhoneDistance`. */
  distance: number;
}

/** An unknown name is rarely misrecognized as more words than this. */
const MAX_REPLACED_WORDS = 4;
export const MAX_PHONE_DISTANCE = 0.5;
/** A word at least this likely is no misrecognized name. */
const MIN_COMMON_PROBABILITY = 1e-4;
/** Each arc slows the search. */
const MAX_ARCS = 40;

export function parseTermDictionary(dictionary: string): PronouncedTerm[] {
  const terms = new Map<string, string[][]>();
  for (const line of dictionary.split('\n').filter((each) => each !== '')) {
    const [entry = '', ...phones] = line.split(' ');
    const name = entry.replace(/\(\d+\)$/, '');
    terms.set(name, [...(terms.get(name) ?? []), phones]);
  }
  return [...terms].map(([name, pronunciations]) => ({ name, pronunciations }));
}

/** Most similar first. No arc replaces a common word. */
export function findTermArcs(
  words: readonly AlignedWordPronunciations[],
  terms: readonly PronouncedTerm[],
): TermArc[] {
  const arcs: TermArc[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_REPLACED_WORDS); to += 1) {
      const window = words.slice(from, to);
      if (window.some(({ unigramProbability }) => unigramProbability > MIN_COMMON_PROBABILITY)) break;
      const phones = window.flatMap(({ pronunciations }) => pronunciations[0] ?? []);
      for (const { name, pronunciations } of terms) {
        const distance = Math.min(
          ...pronunciations.map((other) => computePhoneDistance(phones, other, MAX_PHONE_DISTANCE)),
        );
        if (distance > MAX_PHONE_DISTANCE) continue;
        arcs.push({ from, to, name, distance });
      }
    }
  }
  return selectLikeliest(arcs).slice(0, MAX_ARCS);
}

/** Sorted by distance; one arc per start and term, because the output does not show where an arc ended. */
function selectLikeliest(arcs: readonly TermArc[]): TermArc[] {
  const likeliest = new Map<string, TermArc>();
  for (const arc of arcs.toSorted((a, b) => a.distance - b.distance)) {
    const start = `${arc.from} ${arc.name}`;
    if (!likeliest.has(start)) likeliest.set(start, arc);
  }
  return [...likeliest.values()];
}

/** Phones that are easily confused cost half. */
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

/** Normalized edit distance of two phone sequences: 0 for equal, 1 for distances above `maxDistance`. */
export function computePhoneDistance(a: readonly string[], b: readonly string[], maxDistance = 1): number {
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
