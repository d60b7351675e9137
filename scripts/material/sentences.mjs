import { PATTERNS, SHORT_SENTENCES, WORDS } from './phrases.mjs';

/** After this many repetitions in a row a sentence may be repeated. */
const MAX_TRIES = 50;

/** Makes random sentences, without repetition for as long as possible. */
export class SentenceGenerator {
  #random;
  /** @type {Set<string>} */
  #used = new Set();
  #lastPattern = '';

  /** @param {import('./seeded-random.mjs').SeededRandom} random */
  constructor(random) {
    this.#random = random;
  }

  /** @returns {string} a sentence of eight to twenty words */
  makeSentence() {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const pattern = this.#random.pick(PATTERNS);
      const sentence = fillGaps(pattern, this.#random);
      if (pattern === this.#lastPattern || this.#used.has(sentence)) continue;
      this.#lastPattern = pattern;
      this.#used.add(sentence);
      return sentence;
    }
    return fillGaps(this.#random.pick(PATTERNS), this.#random);
  }

  /** @returns {string} a sentence of about five words */
  pickShortSentence() {
    return this.#random.pick(SHORT_SENTENCES);
  }
}

/**
 * @param {string} pattern with gaps such as `{place}`
 * @param {import('./seeded-random.mjs').SeededRandom} random
 */
function fillGaps(pattern, random) {
  return pattern.replace(/\{(\w+)\}/g, (_, gap) => random.pick(WORDS[gap]));
}
