import type { BareWord } from './redaction-span.js';
import { parseSpokenDigits } from '../numbers/spoken-digits.js';

/** May stand between the digits of one number. */
const CONNECTORS = new Set([
  ...[
    '',
    '-',
    '–',
    '/',
    'dot',
    'point',
    'punkt',
    'punto',
    'dash',
    'hyphen',
    'minus',
    'strich',
    'tiret',
    'guión',
  ],
  ...['space', 'slash', 'plus', 'uh', 'um', 'uhm', 'erm', 'er', 'äh', 'ähm', 'euh'],
]);
/** These connect spoken numbers only, as in “two hundred and five”: “2019 and 2020” are two. */
const CONJUNCTIONS = new Set(['and', 'und', 'et', 'y']);
/** That many connectors may follow each other. */
export const MAX_CONNECTORS = 2;

export function isConjunction({ text }: BareWord): boolean {
  return CONJUNCTIONS.has(text.toLowerCase());
}

export function isConnector(words: readonly BareWord[], at: number): boolean {
  const word = words[at];
  if (!word) return false;
  if (!isConjunction(word)) return CONNECTORS.has(word.text.toLowerCase());
  return [words[at - 1], words[at + 1]].every(
    (each) => each && parseSpokenDigits(each.text, each.language) !== null,
  );
}
