import { printProgress, UserFacingError } from '../../scripts/lib/user-facing-error.mjs';

/**
 * @typedef {import('../lib/scorers.mjs').SpokenTurn} SpokenTurn
 *
 * @typedef {object} Recording
 * @property {string} name
 * @property {string} path the uploaded file, in any format
 * @property {string} plain as 16 kHz mono WAV, for the bare engine
 * @property {number} duration seconds
 * @property {string | null} text the spoken words, if known
 * @property {SpokenTurn[] | null} turns the speaker turns, if known
 *
 * @typedef {object} Measured counts and seconds, which can be added up
 * @property {string} name
 * @property {number} duration
 * @property {{ seconds: number, cpuSeconds: number, engineSeconds: number }} service
 * @property {{ seconds: number, cpuSeconds: number }} bare
 * @property {{ reference: number, service: number, bare: number } | null} words in the reference, and errors of both sides
 * @property {number} found speakers in the transcript
 * @property {number | null} expected speakers in the reference
 * @property {{ collar: Score, strict: Score } | null} speakers errors with a collar of 0.25 s and without
 *
 * @typedef {{ scored: number, wrong: number }} Score seconds
 */

const COLLAR = 0.25;
/** Longer references are not scored, because the memory of sclite grows quadratically (700 MB for 9,000 words). */
const MAX_BLOCK_WORDS = 20_000;

/** Measures recordings with the service and with the bare engine, one after the other. */
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
  async measureAll(recordings) {
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

  /** Reports and omits a recording whose job fails. @param {Recording[]} recordings */
  async measureSuccessful(recordings) {
    const measured = [];
    for (const recording of recordings) {
      try {
        measured.push(...(await this.measureAll([recording])));
      } catch (error) {
        if (!(error instanceof UserFacingError)) throw error;
        printProgress(`  ${recording.name}: omitted. ${error.message}`);
      }
    }
    return measured;
  }

  /** @param {Recording} recording @returns {Promise<Measured>} */
  async measure(recording) {
    const { name, path, plain, duration, text, turns } = recording;
    const { transcript, ...service } = await this.service.measure(path);
    const { text: bareText, ...bare } = await this.engine.transcribe({ path: plain, duration });
    const found = transcript.speakers.length;
    const referenceSpeakers = turns && new Set(turns.map(({ speaker }) => speaker)).size;
    const words = await this.#countWordErrors(text, transcript.text, bareText);
    return {
      name,
      duration,
      service,
      bare,
      words,
      found,
      expected: referenceSpeakers,
      speakers: await this.#measureSpeakerErrors(turns, transcript),
    };
  }

  /** @param {string | null} text @param {string} ours @param {string} theirs */
  async #countWordErrors(text, ours, theirs) {
    if (text === null || text.split(/\s+/).length > MAX_BLOCK_WORDS) return null;
    const [service, bare] = [
      await this.scorers.computeWordErrors(text, ours),
      await this.scorers.computeWordErrors(text, theirs),
    ];
    return { reference: service.words, service: service.errors, bare: bare.errors };
  }

  /** @param {SpokenTurn[] | null} turns @param {import('../lib/running-service.mjs').Transcript} transcript */
  async #measureSpeakerErrors(turns, transcript) {
    if (!turns) return null;
    const hypothesis = transcript.segments.filter(({ speaker }) => speaker !== null);
    const score = async (collar) => {
      const { percent, scored } = await this.scorers.computeDiarizationErrors(turns, hypothesis, collar);
      return { scored, wrong: (percent * scored) / 100 };
    };
    return { collar: await score(COLLAR), strict: await score(0) };
  }
}

/**
 * @param {string} name @param {Measured[]} parts at least one
 * @returns {Measured} sums, also of found and expected speakers
 */
export function sumMeasurements(name, parts) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const sumOf = (value) => sum(parts.map(value));
  const withWords = parts.filter(({ words }) => words !== null);
  const withSpeakers = parts.filter(({ speakers }) => speakers !== null);
  const score = (kind) => ({
    scored: sum(withSpeakers.map(({ speakers }) => speakers[kind].scored)),
    wrong: sum(withSpeakers.map(({ speakers }) => speakers[kind].wrong)),
  });
  const words = (kind) => sum(withWords.map((part) => part.words[kind]));
  return {
    name,
    duration: sumOf(({ duration }) => duration),
    service: {
      seconds: sumOf(({ service }) => service.seconds),
      cpuSeconds: sumOf(({ service }) => service.cpuSeconds),
      engineSeconds: sumOf(({ service }) => service.engineSeconds),
    },
    bare: { seconds: sumOf(({ bare }) => bare.seconds), cpuSeconds: sumOf(({ bare }) => bare.cpuSeconds) },
    words:
      withWords.length === 0
        ? null
        : { reference: words('reference'), service: words('service'), bare: words('bare') },
    found: sumOf(({ found }) => found),
    expected: withSpeakers.length === 0 ? null : sum(withSpeakers.map((part) => part.expected)),
    speakers: withSpeakers.length === 0 ? null : { collar: score('collar'), strict: score('strict') },
  };
}
