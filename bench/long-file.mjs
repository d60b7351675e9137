import { makeDialogue } from '../scripts/material/library.mjs';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { loadScorers } from './lib/scorers.mjs';
import { RunningService } from './lib/running-service.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';
import { transcribeAsOneUtterance } from './lib/transcribe-as-one-utterance.mjs';

/** Short rounds, because the speed of a shared machine changes within minutes. */
const FULL = { seconds: 200, rounds: 3 };
const QUICK = { seconds: 60, rounds: 1 };

/**
 * A dialogue through the service on all cores, compared with pocketsphinx on the whole file, and with the engine of the
 * service (without silence, utterance by utterance) in one process.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchLongFile({ quick }) {
  const { seconds, rounds } = quick ? QUICK : FULL;
  const { path, duration, turns } = await makeDialogue({ seconds, voices: 2, seed: 7 });
  const script = turns.map(({ text }) => text).join(' ');
  const { computeWordErrors } = await loadScorers();
  const engine = new BareEngine();
  const service = await RunningService.start();
  try {
    const { path: short } = await makeDialogue({ seconds: 10, voices: 2, seed: 7 });
    await service.transcribe(short);
    const measured = await runInterleaved(rounds, {
      whole: () => measureSide('program, undivided', transcribeAsOneUtterance(path)),
      ours: () => measureSide('service', transcribeWithService(service, path)),
      alone: () => measureSide('one process of the engine', engine.transcribe({ path, duration })),
      twice: () => measureSide('two processes of the engine', transcribeTwice({ path, duration })),
    });
    const { twice, ...sides } = measured;
    const scored = {};
    for (const [side, results] of Object.entries(sides)) {
      scored[side] = [];
      for (const { text, ...times } of results) {
        scored[side].push({ ...times, wordErrors: (await computeWordErrors(script, text)).percent });
      }
    }
    return {
      name: 'long-file',
      setting: describeSetting(duration, rounds),
      findings: [
        ...toUndividedFindings(scored),
        ...toSingleProcessFindings(scored),
        toConcurrencyFinding(measured),
      ],
      rounds: { ...scored, twice },
    };
  } finally {
    await service.stop();
  }
}

/** @param {RunningService} service @param {string} path */
async function transcribeWithService(service, path) {
  const { transcript, ...times } = await service.measure(path);
  return { ...times, text: transcript.text };
}

/** Two concurrent runs of the whole file, which share only the hardware. @param {{ path: string, duration: number }} audio */
async function transcribeTwice(audio) {
  const startedAt = performance.now();
  await Promise.all([new BareEngine().transcribe(audio), new BareEngine().transcribe(audio)]);
  return { seconds: (performance.now() - startedAt) / 1000 };
}

/** Shows the gain that the machine allows. */
function toConcurrencyFinding({ twice, alone }) {
  return {
    what: 'two processes of the engine: times faster than one after the other',
    ...formatBoth({ ours: twice, baseline: alone }, ({ seconds }) => seconds, ' s'),
    value: 2 * medianRatio(alone, twice, ({ seconds }) => seconds),
    ...{ unit: '', target: null },
  };
}

/** @template {{ seconds: number }} T @param {string} side @param {Promise<T>} measurement */
async function measureSide(side, measurement) {
  const measured = await measurement;
  printProgress(`  ${side}: ${measured.seconds.toFixed(1)} s`);
  return measured;
}

function describeSetting(duration, rounds) {
  return `A dialogue of ${duration} s (WAV, 2 voices), upload to \`completed\`; medians of ${rounds} rounds.`;
}

function formatBoth({ ours, baseline }, value, unit) {
  return { ours: formatMedian(ours, value, unit), baseline: formatMedian(baseline, value, unit) };
}

function formatMedian(rounds, value, unit) {
  return `${median(rounds.map(value)).toFixed(1)}${unit}`;
}

function toUndividedFindings({ ours, whole }) {
  const sides = { ours, baseline: whole };
  return [
    {
      what: 'long file: times faster than the program on the undivided file',
      ...formatBoth(sides, ({ seconds }) => seconds, ' s'),
      value: medianRatio(whole, ours, ({ seconds }) => seconds),
      ...{ unit: '', target: 1.85, bound: 'at least' },
    },
    {
      what: 'long file: word errors, difference in points',
      ...formatBoth(sides, getWordErrors, ' %'),
      value: median(ours.map(getWordErrors)) - median(whole.map(getWordErrors)),
      ...{ unit: ' points', target: 0, bound: 'at most' },
    },
  ];
}

function toSingleProcessFindings({ ours, alone }) {
  const getOtherSeconds = ({ cpuSeconds, engineSeconds }) => cpuSeconds - engineSeconds;
  const medianOf = (rounds, value) => median(rounds.map(value));
  const [getServiceEngineSeconds, getSingleEngineSeconds] = [
    ({ engineSeconds }) => engineSeconds,
    ({ cpuSeconds }) => cpuSeconds,
  ];
  return [
    {
      what: 'long file: times faster than one process of the engine',
      ...formatBoth({ ours, baseline: alone }, ({ seconds }) => seconds, ' s'),
      value: medianRatio(alone, ours, ({ seconds }) => seconds),
      ...{ unit: '', target: null },
    },
    {
      what: 'long file: CPU time beside the engine',
      ...{
        ours: formatMedian(ours, getOtherSeconds, ' s'),
        baseline: formatMedian(ours, getServiceEngineSeconds, ' s'),
      },
      value: medianOf(ours, (round) => (100 * getOtherSeconds(round)) / getServiceEngineSeconds(round)),
      ...{ unit: ' %', target: 8, bound: 'at most' },
    },
    {
      what: "long file: the engine's CPU time, on all cores and in one process",
      ...{
        ours: formatMedian(ours, getServiceEngineSeconds, ' s'),
        baseline: formatMedian(alone, getSingleEngineSeconds, ' s'),
      },
      value: medianOf(ours, getServiceEngineSeconds) / medianOf(alone, getSingleEngineSeconds),
      ...{ unit: '', target: null },
    },
  ];
}

function getWordErrors(scored) {
  return scored.wordErrors;
}
