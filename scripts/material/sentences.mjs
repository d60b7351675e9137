/** Sentences by chance, no two alike for as long as possible. */
import { PATTERNS, SHORT_SENTENCES, WORDS } from './phrases.mjs';

/** After so many repetitions in a row the same sentence may come again. */
const TRIES = 50;

export class SentenceMaker {
  #chance;
  /** @type {Set<string>} */
  #said = new Set();
  #last = '';

  /** @param {import('./seeded-random.mjs').SeededRandom} chance */
  constructor(chance) {
    this.#chance = chance;
  }

  /** @returns {string} a sentence of eight to twenty words */
  sentence() {
    for (let tries = 0; tries < TRIES; tries++) {
      const pattern = this.#chance.pick(PATTERNS);
      const sentence = filled(pattern, this.#chance);
      if (pattern === this.#last || this.#said.has(sentence)) continue;
      this.#last = pattern;
      this.#said.add(sentence);
      return sentence;
    }
    return filled(this.#chance.pick(PATTERNS), this.#chance);
  }

  /** @returns {string} a sentence of about five words */
  shortSentence() {
    return this.#chance.pick(SHORT_SENTENCES);
  }
}

/**
 * @param {string} pattern with gaps such as `{place}`
 * @param {import('./seeded-random.mjs').SeededRandom} chance
 */
function filled(pattern, chance) {
  return pattern.replace(/\{(\w+)\}/g, (_, gap) => chance.pick(WORDS[gap]));
}
