import { dialogue, MADE_UP_NAMES, mixture, NAMED_SENTENCES } from '../../scripts/material/library.mjs';
import { speak } from '../../scripts/material/flite.mjs';
import { say } from '../../scripts/lib/trouble.mjs';
import { interleaved, median, medianRatio } from '../lib/statistics.mjs';

const VOICES = ['slt', 'awb'];
const PAUSE = 0.7;
const FULL = { seconds: 300, rounds: 3, sentences: NAMED_SENTENCES, voices: VOICES };
const QUICK = { seconds: 30, rounds: 1, sentences: NAMED_SENTENCES.slice(0, 6), voices: VOICES.slice(0, 1) };
const TERMS = NAMED_SENTENCES.map(({ term }) => term);
const MANY = [...TERMS, ...MADE_UP_NAMES].slice(0, 500);

/**
 * What given terms gain where they are said, and cost where they are not.
 *
 * @param {import('./measure-recording.mjs').Measuring} measuring @param {{ quick: boolean }} length
 * @returns {Promise<import('../speech.mjs').PartResult>}
 */
export async function vocabulary(measuring, { quick }) {
  const size = quick ? QUICK : FULL;
  const heard = [];
  for (const voice of size.voices) heard.push(await hearNames(measuring.service, voice, size.sentences));
  const burden = await weigh(measuring, size);
  return {
    rows: [],
    findings: [...goalsOfNames(heard), ...goalsOfBurden(burden)],
    rounds: { heard, burden },
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
  say(
    `  names, ${voice}: ${misheard.length} of ${terms.length} misheard; with terms ${missed.join(', ') || 'none'}`,
  );
  return { voice, terms: terms.length, misheard, missed, without: without.text, given: given.text };
}

/** Whole words only. @param {string} text @param {string} term */
function holds(text, term) {
  const words = (from) => ` ${from.replace(/[^\p{L}\p{N}' ]/gu, '')} `;
  return words(text).includes(words(term));
}

/** The same dialogue, in which none of the terms is said, with and without them. */
async function weigh({ service, judges }, { seconds, rounds }) {
  const { path, turns } = await dialogue({ seconds, voices: 4, seed: 302 });
  const script = turns.map(({ text }) => text).join(' ');
  const measured = await interleaved(rounds, {
    baseline: () => service.measure(path),
    ours: () => service.measure(path, { custom_vocabulary: MANY }),
  });
  const [without, given] = [measured.baseline[0], measured.ours[0]].map(({ transcript }) => transcript.text);
  return {
    times: mapped(measured, ({ seconds: wall, cpuSeconds }) => ({ seconds: wall, cpuSeconds })),
    changed: (await judges.wordErrorRate(without, given)).errors,
    errors: {
      baseline: (await judges.wordErrorRate(script, without)).errors,
      ours: (await judges.wordErrorRate(script, given)).errors,
    },
  };
}

function mapped({ baseline, ours }, value) {
  return { baseline: baseline.map(value), ours: ours.map(value) };
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

function goalsOfBurden({ times, changed, errors }) {
  const slower = (what, value) => ({
    what: `vocabulary: 500 terms that nobody says, ${what}`,
    ours: `${median(times.ours.map(value)).toFixed(1)} s`,
    baseline: `${median(times.baseline.map(value)).toFixed(1)} s`,
    ...{ value: 100 * (medianRatio(times.ours, times.baseline, value) - 1), unit: ' %' },
  });
  const most = (target) => ({ target, bound: 'at most' });
  return [
    { ...slower('slower by', ({ seconds }) => seconds), ...most(15) },
    { ...slower('more processor time', ({ cpuSeconds }) => cpuSeconds), ...most(15) },
    {
      what: 'vocabulary: 500 terms that nobody says, other words changed',
      ...{ ours: `${errors.ours} wrong`, baseline: `${errors.baseline} wrong` },
      ...{ value: changed, unit: ' words', ...most(0) },
    },
  ];
}
