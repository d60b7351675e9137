/**
 * Who says what next: each person has the word once before chance decides, and nobody twice in a row.
 *
 * @typedef {{ speaker: string, voice: string }} Person
 * @typedef {{ line: import('./spoken.mjs').Line, samples: Int16Array }} Said
 */
import { speak } from './flite.mjs';
import { SentenceMaker } from './sentences.mjs';
import { RATE } from './wav.mjs';

/** With less than this many seconds left, only short sentences are tried. */
const ROOM_FOR_SENTENCE = 8;
/** With at least this many seconds left, a turn may be of two sentences. */
const ROOM_FOR_TWO = 16;
/** How often it is, then. */
const TWO_SENTENCES = 0.3;
/** How many short sentences are tried before the rest stays silent. */
const TRIES = 4;

export class Conversation {
  #people;
  #chance;
  #sentences;
  /** @type {Person | undefined} */
  #last;
  #turns = 0;

  /**
   * @param {Person[]} people one or more
   * @param {import('./seeded-random.mjs').SeededRandom} chance
   */
  constructor(people, chance) {
    this.#people = people;
    this.#chance = chance;
    this.#sentences = new SentenceMaker(chance);
  }

  /**
   * The next turn, or nothing when none fits.
   * @param {number} room seconds that the turn may last
   * @returns {Promise<Said | undefined>}
   */
  async next(room) {
    const { speaker, voice } = this.#nextPerson();
    for (let tries = 0; tries < TRIES; tries++) {
      const text = this.#text(room);
      const samples = await speak(voice, text);
      if (samples.length / RATE > room) continue;
      this.#turns += 1;
      return { line: { speaker, voice, text }, samples };
    }
    return undefined;
  }

  /** @param {number} room */
  #text(room) {
    if (room < ROOM_FOR_SENTENCE) return this.#sentences.shortSentence();
    const first = this.#sentences.sentence();
    if (room < ROOM_FOR_TWO || this.#chance.next() >= TWO_SENTENCES) return first;
    return `${first} ${this.#sentences.sentence()}`;
  }

  #nextPerson() {
    const others = this.#people.filter((person) => person !== this.#last);
    const introduced = this.#turns >= this.#people.length;
    this.#last =
      introduced && others.length > 0
        ? this.#chance.pick(others)
        : this.#people[this.#turns % this.#people.length];
    return this.#last;
  }
}
