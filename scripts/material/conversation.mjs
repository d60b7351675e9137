/**
 * @typedef {{ speaker: string, voice: string }} Speaker
 * @typedef {{ line: import('./spoken.mjs').Line, samples: Int16Array }} SynthesizedTurn
 */
import { synthesizeSpeech } from './flite.mjs';
import { SentenceGenerator } from './sentences.mjs';
import { RATE } from './wav.mjs';

const MIN_SECONDS_FOR_LONG_SENTENCE = 8;
const MIN_SECONDS_FOR_TWO_SENTENCES = 16;
const TWO_SENTENCES_PROBABILITY = 0.3;
/** After this many sentences that were too long, the rest of the dialogue is silent. */
const MAX_TRIES = 4;

/** Selects speakers and sentences: everyone speaks once before speakers are random, and nobody speaks twice in a row. */
export class Conversation {
  #speakers;
  #random;
  #sentences;
  /** @type {Speaker | undefined} */
  #lastSpeaker;
  #turnCount = 0;

  /**
   * @param {Speaker[]} speakers one or more
   * @param {import('./seeded-random.mjs').SeededRandom} random
   */
  constructor(speakers, random) {
    this.#speakers = speakers;
    this.#random = random;
    this.#sentences = new SentenceGenerator(random);
  }

  /**
   * @param {number} maxSeconds
   * @returns {Promise<SynthesizedTurn | undefined>} undefined if no sentence is short enough
   */
  async synthesizeTurn(maxSeconds) {
    const { speaker, voice } = this.#selectSpeaker();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const text = this.#composeText(maxSeconds);
      const samples = await synthesizeSpeech(voice, text);
      if (samples.length / RATE > maxSeconds) continue;
      this.#turnCount += 1;
      return { line: { speaker, voice, text }, samples };
    }
    return undefined;
  }

  /** @param {number} maxSeconds */
  #composeText(maxSeconds) {
    if (maxSeconds < MIN_SECONDS_FOR_LONG_SENTENCE) return this.#sentences.pickShortSentence();
    const first = this.#sentences.makeSentence();
    if (maxSeconds < MIN_SECONDS_FOR_TWO_SENTENCES || this.#random.next() >= TWO_SENTENCES_PROBABILITY)
      return first;
    return `${first} ${this.#sentences.makeSentence()}`;
  }

  #selectSpeaker() {
    const others = this.#speakers.filter((speaker) => speaker !== this.#lastSpeaker);
    const allHaveSpoken = this.#turnCount >= this.#speakers.length;
    this.#lastSpeaker =
      allHaveSpoken && others.length > 0
        ? this.#random.pick(others)
        : this.#speakers[this.#turnCount % this.#speakers.length];
    return this.#lastSpeaker;
  }
}
