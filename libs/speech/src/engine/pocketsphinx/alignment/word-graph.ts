import { MAX_PHONE_DISTANCE, type TermArc } from './term-arcs.js';

/** Names of the words of a chunk as the engine prints them: no word of the dictionary has a colon. */
export function graphWordName(index: number): string {
  return `said:${index}`;
}

/** The number in such a name, whatever pronunciation was heard; null for terms, silence and noise. */
export function parseGraphWordIndex(name: string): number | null {
  const [, index] = /^said:(\d+)(?:\(\d+\))?$/.exec(name) ?? [];
  return index === undefined ? null : Number(index);
}

/** Words of a chunk from number `first` on, and what may have been said instead of some. */
export interface WordGraph {
  first: number;
  count: number;
  arcs: readonly TermArc[];
}

/**
 * How likely each written word is taken to be where a term may have been said too. Only the ratio to a term's arc
 * counts: one that sounds just like what was written is this much likelier than it, one that hardly does not at all.
 */
const WRITTEN_PROBABILITY = 5e-4;

/**
 * A grammar, in the engine's own format, in which the words can only be said in their order, or a term in the place of
 * some of them. Silence between them is the engine's to add.
 */
export function formatWordGraph({ first, count, arcs }: WordGraph): string {
  const steps = Array.from(
    { length: count },
    (_, at) => `${at} ${at + 1} ${WRITTEN_PROBABILITY} ${graphWordName(first + at)}`,
  );
  const others = arcs.map(({ from, to, name, distance }) => {
    const likelihood = WRITTEN_PROBABILITY ** (to - from - 1 + distance / MAX_PHONE_DISTANCE);
    return `${from} ${to} ${likelihood} ${name}`;
  });
  return [
    'FSG_BEGIN <stretch>',
    `NUM_STATES ${count + 1}`,
    'START_STATE 0',
    `FINAL_STATE ${count}`,
    ...[...steps, ...others].map((step) => `TRANSITION ${step}`),
    'FSG_END',
    '',
  ].join('\n');
}
