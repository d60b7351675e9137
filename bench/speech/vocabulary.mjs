import {
  dialogue,
  MADE_UP_NAMES,
  mixture,
  NAMED_SENTENCES,
  otherNames,
} from '../../scripts/material/library.mjs';
import { speak } from '../../scripts/material/flite.mjs';
import { printProgress } from '../../scripts/lib/user-facing-error.mjs';
import { runInterleaved, median, medianRatio } from '../lib/statistics.mjs';

const VOICES = ['slt', 'awb'];
const PAUSE = 0.7;
/** How long the dialogues are in which no term is said, and how often each is heard with and without terms. */
const BURDENS = [
  { seconds: 15, rounds: 7 },
  { seconds: 60, rounds: 5 },
  { seconds: 300, rounds: 3 },
];
const FULL = { burdens: BURDENS, sentences: NAMED_SENTENCES, voices: VOICES };
const QUICK = {
  burdens: [{ seconds: 15, rounds: 2 }],
  sentences: NAMED_SENTENCES.slice(0, 6),
  voices: VOICES.slice(0, 1),
};
const TERMS = NAMED_SENTENCES.map(({ term }) => term);
const MANY = [...TERMS, ...MADE_UP_NAMES].slice(0, 500);

/**
 * What given terms gain where they are said, and cost where they are not.
 *
 * @param {import('./measure-recording.mjs').RecordingBenchmark} measuring @param {{ quick: boolean }} length
 * @returns {Promise<import('../speech.mjs').PartResult>}
 */
export async function benchVocabulary(measuring, { quick }) {
  const size = quick ? QUICK : FULL;
  const heard = [];
  for (const voice of size.voices) heard.push(await hearNames(measuring.service, voice, size.sentences));
  const burdens = await weigh(measuring, size.burdens);
  return {
    rows: [],
    findings: [...goalsOfNames(heard), ...burdens.flatMap(goalsOfBurden)],
    rounds: { heard, burdens },
  };
}

/** @param {import('../lib/running-service.mjs').RunningService} service */
async function hearNames(service, voice, sentences) {
  const parts = [];
  for (const { text, says } of sentences) {
    parts.push({ speaker: voice, text, samples: await speak(voice, says), pause: PAUSE });
  }
  const { path } = await mixture(`names-${voice}`, parts);
  const { transcript: without } = await service.transcribe(path);
  const { transcript: given } = await service.transcribe(path, { custom_vocabulary: MANY });
  const terms = sentences.map(({ term }) => term);
  const misheard = terms.filter((term) => !holds(without.text.toLowerCase(), term.toLowerCase()));
  const missed = terms.filter((term) => !holds(given.text, term));
  printProgress(
    `  names, ${voice}: ${misheard.length} of ${terms.length} misheard; with terms ${missed.join(', ') || 'none'}`,
  );
  return { voice, terms: terms.length, misheard, missed, without: without.text, given: given.text };
}

/** Whole words only. @param {string} text @param {string} term */
function holds(text, term) {
  const words = (from) => ` ${from.replace(/[^\p{L}\p{N}' ]/gu, '')} `;
  return words(text).includes(words(term));
}

/**
 * The same dialogues, in which none of the terms is said, with and without them: every time others, so that nothing of
 * them is known, and with terms that a job before had. In the last case and without terms the engine is loaded.
 */
async function weigh({ service, scorers }, lengths) {
  const burdens = [];
  let lists = 0;
  for (const { seconds, rounds } of lengths) {
    const { path } = await dialogue({ seconds, voices: 4, seed: 302 });
    const { path: short } = await dialogue({ seconds: 15, voices: 2, seed: 303 });
    const measured = await runInterleaved(rounds, {
      baseline: async () => {
        await service.transcribe(short);
        return service.measure(path);
      },
      ours: () => service.measure(path, { custom_vocabulary: otherNames(lists++) }),
      again: async () => {
        const terms = { custom_vocabulary: otherNames(lists++) };
        await service.transcribe(short, terms);
        return service.measure(path, terms);
      },
    });
    const changed = [];
    for (const [round, { transcript }] of measured.ours.entries())
      changed.push(
        (await scorers.computeWordErrors(measured.baseline[round].transcript.text, transcript.text)).errors,
      );
    const times = mapped(measured, ({ seconds: wall, cpuSeconds }) => ({ seconds: wall, cpuSeconds }));
    burdens.push({ length: seconds, times, changed: Math.max(...changed) });
  }
  return burdens;
}

function mapped(sides, value) {
  return Object.fromEntries(Object.entries(sides).map(([side, rounds]) => [side, rounds.map(value)]));
}

function goalsOfNames(heard) {
  const sum = (value) => heard.reduce((total, each) => total + value(each), 0);
  const terms = sum((each) => each.terms);
  const misheard = sum((each) => each.misheard.length);
  const missed = sum(
    ({ misheard: before, missed: after }) => before.filter((term) => after.includes(term)).length,
  );
  return [
    {
      what: 'vocabulary: names misheard without it that are right among 500 terms',
      ours: `${misheard - missed} of ${misheard}`,
      baseline: `${misheard} of ${terms} misheard`,
      ...{ value: (100 * (misheard - missed)) / misheard, unit: ' %', target: 100, bound: 'at least' },
    },
  ];
}

function goalsOfBurden({ length, times, changed }) {
  const what = `vocabulary: 500 new terms that nobody says, ${length} s of speech`;
  const slower = (side, more, value) => ({
    what: more,
    ours: `${median(times[side].map(value)).toFixed(2)} s`,
    baseline: `${median(times.baseline.map(value)).toFixed(2)} s`,
    ...{ value: 100 * (medianRatio(times[side], times.baseline, value) - 1), unit: ' %' },
    ...{ target: 15, bound: 'at most' },
  });
  return [
    slower('ours', `${what}, slower by`, ({ seconds }) => seconds),
    slower('ours', `${what}, more processor time`, ({ cpuSeconds }) => cpuSeconds),
    slower(
      'again',
      `vocabulary: 500 terms of the job before, ${length} s, slower by`,
      ({ seconds }) => seconds,
    ),
    {
      ...{ what: `${what}, words changed, at most`, ours: `${changed}`, baseline: '' },
      ...{ value: changed, unit: ' words', target: 0, bound: 'at most' },
    },
  ];
}
