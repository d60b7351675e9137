import { printProgress, UserFacingError } from '../../scripts/lib/user-facing-error.mjs';

/**
 * @typedef {import('../lib/scorers.mjs').SpokenTurn} SpokenTurn
 *
 * @typedef {object} Recording
 * @property {string} name
 * @property {string} path the uploaded file, in any format
 * @property {string} plain the same as 16 kHz mono WAV, for the bare engine
 * @property {number} duration seconds
 * @property {string | null} text the spoken words, if known
 * @property {SpokenTurn[] | null} turns the speaker turns, if known
 *
 * @typedef {object} Measured counts and seconds, so that several can be added up
 * @property {string} name
 * @property {number} duration
 * @property {{ seconds: number, cpuSeconds: number, engineSeconds: number }} service
 * @property {{ seconds: number, cpuSeconds: number }} bare
 * @property {{ said: number, service: number, bare: number } | null} words that were said, and errors in them
 * @property {number} found speakers in the transcript
 * @property {number | null} told speakers of the reference
 * @property {{ collar: Score, strict: Score } | null} speakers with a collar of 0.25 s and with none
 *
 * @typedef {{ scored: number, wrong: number }} Score seconds
 */

const COLLAR = 0.25;
/** Longer references are not scored: the memory of sclite grows with the square of the words, to 700 MB for 9,000. */
const MAX_BLOCK_WORDS = 20_000;

/** One recording through the service and through the bare engine, one after the other. */
export class RecordingBenchmark {
  /**
   * @param {import('../lib/running-service.mjs').RunningService} service
   * @param {import('../lib/bare-engine.mjs').BareEngine} engine
   * @param {import('../lib/scorers.mjs').Scorers} scorers
   */
  constructor(service, engine, scorers) {
    this.service = service;
    this.engine = engine;
    this.scorers = scorers;
  }

  /** @param {Recording[]} recordings @returns {Promise<Measured[]>} */
  async all(recordings) {
    const measured = [];
    for (const recording of recordings) {
      measured.push(await this.measure(recording));
      const { name, service, bare } = measured.at(-1);
      printProgress(
        `  ${name}: service ${service.seconds.toFixed(1)} s, bare engine ${bare.seconds.toFixed(1)} s`,
      );
    }
    return measured;
  }

  /** The same, but a recording whose job fails is told and left out. @param {Recording[]} recordings */
  async whatWorks(recordings) {
    const measured = [];
    for (const recording of recordings) {
      try {
        measured.push(...(await this.all([recording])));
      } catch (error) {
        if (!(error instanceof UserFacingError)) throw error;
        printProgress(`  ${recording.name}: left out. ${error.message}`);
      }
    }
    return measured;
  }

  /** @param {Recording} recording @returns {Promise<Measured>} */
  async measure(recording) {
    const { name, path, plain, duration, text, turns } = recording;
    const { transcript, ...service } = await this.service.measure(path);
    const { text: bareText, ...bare } = await this.engine.hear({ path: plain, duration });
    const found = transcript.speakers.length;
    const told = turns && new Set(turns.map(({ speaker }) => speaker)).size;
    const words = await this.#words(text, transcript.text, bareText);
    return {
      name,
      duration,
      service,
      bare,
      words,
      found,
      told,
      speakers: await this.#speakers(turns, transcript),
    };
  }

  /** @param {string | null} text @param {string} ours @param {string} theirs */
  async #words(text, ours, theirs) {
    if (text === null || text.split(/\s+/).length > MAX_BLOCK_WORDS) return null;
    const [service, bare] = [
      await this.scorers.computeWordErrors(text, ours),
      await this.scorers.computeWordErrors(text, theirs),
    ];
    return { said: service.words, service: service.errors, bare: bare.errors };
  }

  /** @param {SpokenTurn[] | null} turns @param {import('../lib/running-service.mjs').Transcript} transcript */
  async #speakers(turns, transcript) {
    if (!turns) return null;
    const heard = transcript.segments.filter(({ speaker }) => speaker !== null);
    const score = async (collar) => {
      const { percent, scored } = await this.scorers.computeDiarizationErrors(turns, heard, collar);
      return { scored, wrong: (percent * scored) / 100 };
    };
    return { collar: await score(COLLAR), strict: await score(0) };
  }
}

/**
 * What several recordings come to together.
 *
 * @param {string} name @param {Measured[]} parts at least one
 * @returns {Measured} the speakers found and told are sums, too
 */
export function sumMeasurements(name, parts) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const each = (value) => sum(parts.map(value));
  const judged = parts.filter(({ words }) => words !== null);
  const told = parts.filter(({ speakers }) => speakers !== null);
  const score = (kind) => ({
    scored: sum(told.map(({ speakers }) => speakers[kind].scored)),
    wrong: sum(told.map(({ speakers }) => speakers[kind].wrong)),
  });
  const words = (kind) => sum(judged.map((part) => part.words[kind]));
  return {
    name,
    duration: each(({ duration }) => duration),
    service: {
      seconds: each(({ service }) => service.seconds),
      cpuSeconds: each(({ service }) => service.cpuSeconds),
      engineSeconds: each(({ service }) => service.engineSeconds),
    },
    bare: { seconds: each(({ bare }) => bare.seconds), cpuSeconds: each(({ bare }) => bare.cpuSeconds) },
    words:
      judged.length === 0 ? null : { said: words('said'), service: words('service'), bare: words('bare') },
    found: each(({ found }) => found),
    told: told.length === 0 ? null : sum(told.map((part) => part.told)),
    speakers: told.length === 0 ? null : { collar: score('collar'), strict: score('strict') },
  };
}
