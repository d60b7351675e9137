/**
 * The mulberry32 generator: the same seed yields the same numbers on every machine.
 */
export class SeededRandom {
  #state;

  /** @param {number} seed an integer */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} from 0 to below 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @param {number} low @param {number} high @returns {number} from low to below high */
  between(low, high) {
    return low + this.next() * (high - low);
  }

  /**
   * @template T
   * @param {readonly T[]} choices not empty
   * @returns {T}
   */
  pick(choices) {
    return choices[Math.floor(this.next() * choices.length)];
  }
}
