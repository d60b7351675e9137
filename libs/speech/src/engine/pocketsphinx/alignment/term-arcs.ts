/** A written word as it may have been said. */
export interface PronouncedWord {
  /** Each is its sounds in order; the likeliest first. */
  sounds: readonly (readonly string[])[];
  /** How likely the word is in any text, 0 to 1. */
  usual: number;
}

/** A given term under the name that the engine prints. */
export interface PronouncedTerm {
  name: string;
  sounds: readonly (readonly string[])[];
}

/** Another way through a stretch: from before word `from` to before word `to`, the term is said instead. */
export interface TermArc {
  from: number;
  to: number;
  name: string;
  /** As of `phoneDistance`. */
  distance: number;
}

/** A name that an engine does not know comes out as a word or two more than it has, hardly ever as four. */
const MAX_REPLACED_WORDS = 4;
/** Beyond this nothing of the term is left in what was written. */
export const MAX_PHONE_DISTANCE = 0.5;
/** Words that everybody says are seldom a name misheard: they must sound nearly like it. */
const MAX_COMMON_PHONE_DISTANCE = 0.25;
const MIN_COMMON_PROBABILITY = 1e-4;
/** Each costs the search. */
const MAX_ARCS = 40;

/** The terms in lines of a pronouncing dictionary, as `Vocabulary` has them. */
export function parseTermDictionary(dictionary: string): PronouncedTerm[] {
  const terms = new Map<string, string[][]>();
  for (const line of dictionary.split('\n').filter((each) => each !== '')) {
    const [entry = '', ...sounds] = line.split(' ');
    const name = entry.replace(/\(\d+\)$/, '');
    terms.set(name, [...(terms.get(name) ?? []), sounds]);
  }
  return [...terms].map(([name, sounds]) => ({ name, sounds }));
}

/** Where in a stretch a given term may have been said instead of what was written, the likeliest first. */
export function findTermArcs(words: readonly PronouncedWord[], terms: readonly PronouncedTerm[]): TermArc[] {
  const arcs: TermArc[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_REPLACED_WORDS); to += 1) {
      const window = words.slice(from, to);
      const said = window.flatMap(({ sounds }) => sounds[0] ?? []);
      const most = window.every(({ usual }) => usual > MIN_COMMON_PROBABILITY)
        ? MAX_COMMON_PHONE_DISTANCE
        : MAX_PHONE_DISTANCE;
      for (const { name, sounds } of terms) {
        const distance = Math.min(...sounds.map((way) => phoneDistance(said, way, most)));
        if (distance <= most) arcs.push({ from, to, name, distance });
      }
    }
  }
  return selectLikeliest(arcs).slice(0, MAX_ARCS);
}

/** In order, and of arcs that begin alike only the likeliest: what the engine prints does not tell where one ended. */
function selectLikeliest(arcs: readonly TermArc[]): TermArc[] {
  const kept = new Map<string, TermArc>();
  for (const arc of arcs.toSorted((a, b) => a.distance - b.distance)) {
    const start = `${arc.from} ${arc.name}`;
    if (!kept.has(start)) kept.set(start, arc);
  }
  return [...kept.values()];
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
