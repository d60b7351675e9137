import {
  makeDialogue,
  MADE_UP_NAMES,
  mixRecording,
  NAMED_SENTENCES,
  makeUpNames,
} from '../../scripts/material/library.mjs';
import { synthesizeSpeech } from '../../scripts/material/flite.mjs';
import { printProgress } from '../../scripts/lib/user-facing-error.mjs';
import { containsWords } from './contains-words.mjs';
import { runInterleaved, median, medianRatio } from '../lib/statistics.mjs';

const VOICES = ['slt', 'awb'];
const PAUSE = 0.7;
/** Dialogues without the terms, and rounds with and without terms. */
const DIALOGUE_LENGTHS = [
  { seconds: 15, rounds: 7 },
  { seconds: 60, rounds: 5 },
  { seconds: 300, rounds: 3 },
];
const FULL = { dialogues: DIALOGUE_LENGTHS, sentences: NAMED_SENTENCES, voices: VOICES };
const QUICK = {
  dialogues: [{ seconds: 15, rounds: 2 }],
  sentences: NAMED_SENTENCES.slice(0, 6),
  voices: VOICES.slice(0, 1),
};
const TERMS = NAMED_SENTENCES.map(({ term }) => term);
const FIVE_HUNDRED_TERMS = [...TERMS, ...MADE_UP_NAMES].slice(0, 500);

/**
 * The gain of terms that occur in a recording, and the cost of terms that do not.
 *
 * @param {import('./measure-recording.mjs').RecordingBenchmark} benchmark @param {{ quick: boolean }} length
 * @returns {Promise<import('../speech.mjs').PartResult>}
 */
export async function benchVocabulary(benchmark, { quick }) {
  const size = quick ? QUICK : FULL;
  const nameResults = [];
  for (const voice of size.voices)
    nameResults.push(await measureNames(benchmark.service, voice, size.sentences));
  const costs = await measureCosts(benchmark, size.dialogues);
  return {
    rows: [],
    findings: [...toNameFindings(nameResults), ...costs.flatMap(toCostFindings)],
    rounds: { nameResults, costs },
  };
}

/** @param {import('../lib/running-service.mjs').RunningService} service */
async function measureNames(service, voice, sentences) {
  const parts = [];
  for (const { text, spokenText } of sentences) {
    parts.push({ speaker: voice, text, samples: await synthesizeSpeech(voice, spokenText), pause: PAUSE });
  }
  const { path } = await mixRecording(`names-${voice}`, parts);
  const { transcript: transcriptWithoutTerms } = await service.transcribe(path);
  const { transcript: transcriptWithTerms } = await service.transcribe(path, {
    custom_vocabulary: FIVE_HUNDRED_TERMS,
  });
  const terms = sentences.map(({ term }) => term);
  const wrongWithoutTerms = terms.filter(
    (term) => !containsWords(transcriptWithoutTerms.text.toLowerCase(), term.toLowerCase()),
  );
  const wrongWithTerms = terms.filter((term) => !containsWords(transcriptWithTerms.text, term));
  printProgress(
    `  names, ${voice}: ${wrongWithoutTerms.length} of ${terms.length} wrong; with terms ${wrongWithTerms.join(', ') || 'none'}`,
  );
  return {
    voice,
    terms: terms.length,
    wrongWithoutTerms,
    wrongWithTerms,
    transcriptWithoutTerms: transcriptWithoutTerms.text,
    transcriptWithTerms: transcriptWithTerms.text,
  };
}

/**
 * Measures dialogues that contain none of the terms: without terms, with new terms each time, and with the terms of the
 * previous job. In the first and the last case the engine is loaded.
 */
async function measureCosts({ service, scorers }, lengths) {
  const costs = [];
  let listIndex = 0;
  for (const { seconds, rounds } of lengths) {
    const { path } = await makeDialogue({ seconds, voices: 4, seed: 302 });
    const { path: short } = await makeDialogue({ seconds: 15, voices: 2, seed: 303 });
    const measured = await runInterleaved(rounds, {
      baseline: async () => {
        await service.transcribe(short);
        return service.measure(path);
      },
      ours: () => service.measure(path, { custom_vocabulary: makeUpNames(listIndex++) }),
      again: async () => {
        const terms = { custom_vocabulary: makeUpNames(listIndex++) };
        await service.transcribe(short, terms);
        return service.measure(path, terms);
      },
    });
    const changed = [];
    for (const [round, { transcript }] of measured.ours.entries())
      changed.push(
        (await scorers.computeWordErrors(measured.baseline[round].transcript.text, transcript.text)).errors,
      );
    const times = mapRounds(measured, ({ seconds: wall, cpuSeconds }) => ({ seconds: wall, cpuSeconds }));
    costs.push({ length: seconds, times, changed: Math.max(...changed) });
  }
  return costs;
}

function mapRounds(sides, value) {
  return Object.fromEntries(Object.entries(sides).map(([side, rounds]) => [side, rounds.map(value)]));
}

/** @param {{ terms: number, wrongWithoutTerms: string[], wrongWithTerms: string[] }[]} nameResults of each voice */
export function toNameFindings(nameResults) {
  const sum = (value) => nameResults.reduce((total, each) => total + value(each), 0);
  const terms = sum((each) => each.terms);
  const wrongWithoutTerms = sum((each) => each.wrongWithoutTerms.length);
  const wrongInBoth = sum(
    ({ wrongWithoutTerms: before, wrongWithTerms: after }) =>
      before.filter((term) => after.includes(term)).length,
  );
  return [
    {
      what: 'vocabulary: names wrong without terms that are right with 500 terms',
      ours: `${wrongWithoutTerms - wrongInBoth} of ${wrongWithoutTerms}`,
      baseline: `${wrongWithoutTerms} of ${terms} wrong`,
      ...{
        value: (100 * (wrongWithoutTerms - wrongInBoth)) / wrongWithoutTerms,
        unit: ' %',
        target: 100,
        bound: 'at least',
      },
    },
  ];
}

function toCostFindings({ length, times, changed }) {
  const what = `vocabulary: 500 new terms that do not occur, ${length} s of speech`;
  const toSlowdownFinding = (side, more, value) => ({
    what: more,
    ours: `${median(times[side].map(value)).toFixed(2)} s`,
    baseline: `${median(times.baseline.map(value)).toFixed(2)} s`,
    ...{ value: 100 * (medianRatio(times[side], times.baseline, value) - 1), unit: ' %' },
    ...{ target: 15, bound: 'at most' },
  });
  return [
    toSlowdownFinding('ours', `${what}, slower by`, ({ seconds }) => seconds),
    toSlowdownFinding('ours', `${what}, more CPU time`, ({ cpuSeconds }) => cpuSeconds),
    toSlowdownFinding(
      'again',
      `vocabulary: 500 terms of the previous job, ${length} s, slower by`,
      ({ seconds }) => seconds,
    ),
    {
      ...{ what: `${what}, words changed, at most`, ours: `${changed}`, baseline: '' },
      ...{ value: changed, unit: ' words', target: 0, bound: 'at most' },
    },
  ];
}
