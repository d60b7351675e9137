import { dialogue } from '../scripts/material/library.mjs';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { loadScorers } from './lib/scorers.mjs';
import { RunningService } from './lib/running-service.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';
import { transcribeAsOneUtterance } from './lib/transcribe-as-one-utterance.mjs';

/** Many short rounds, as the speed of a shared machine changes within minutes. */
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
  const { path, duration, turns } = await dialogue({ seconds, voices: 2, seed: 7 });
  const script = turns.map(({ text }) => text).join(' ');
  const { computeWordErrors } = await loadScorers();
  const engine = new BareEngine();
  const service = await RunningService.start();
  try {
    const { path: short } = await dialogue({ seconds: 10, voices: 2, seed: 7 });
    await service.transcribe(short);
    const measured = await runInterleaved(rounds, {
      whole: () => told('program, undivided', transcribeAsOneUtterance(path)),
      ours: () => told('service', throughService(service, path)),
      alone: () => told('one process of the engine', engine.hear({ path, duration })),
      twice: () => told('two such at once', heardTwice({ path, duration })),
    });
    const { twice, ...sides } = measured;
    const judged = {};
    for (const [side, heard] of Object.entries(sides)) {
      judged[side] = [];
      for (const { text, ...times } of heard) {
        judged[side].push({ ...times, wordErrors: (await computeWordErrors(script, text)).percent });
      }
    }
    return {
      name: 'long-file',
      setting: setting(duration, rounds),
      findings: [...againstWhole(judged), ...againstAlone(judged), ceiling(measured)],
      rounds: { ...judged, twice },
    };
  } finally {
    await service.stop();
  }
}

/** @param {RunningService} service @param {string} path */
async function throughService(service, path) {
  const { transcript, ...times } = await service.measure(path);
  return { ...times, text: transcript.text };
}

/** Two concurrent runs of the whole file, limited by shared hardware only. @param {{ path: string, duration: number }} audio */
async function heardTwice(audio) {
  const began = performance.now();
  await Promise.all([new BareEngine().hear(audio), new BareEngine().hear(audio)]);
  return { seconds: (performance.now() - began) / 1000 };
}

/** The maximum that the machine allows. */
function ceiling({ twice, alone }) {
  return {
    what: 'two such at once: times faster than one after the other',
    ...both({ ours: twice, baseline: alone }, ({ seconds }) => seconds, ' s'),
    value: 2 * medianRatio(alone, twice, ({ seconds }) => seconds),
    ...{ unit: '', target: null },
  };
}

/** @template {{ seconds: number }} T @param {string} side @param {Promise<T>} measuring */
async function told(side, measuring) {
  const measured = await measuring;
  printProgress(`  ${side}: ${measured.seconds.toFixed(1)} s`);
  return measured;
}

function setting(duration, rounds) {
  return `A dialogue of ${duration} s (WAV, 2 voices), upload to \`completed\`; medians of ${rounds} rounds.`;
}

function both({ ours, baseline }, value, unit) {
  return { ours: cell(ours, value, unit), baseline: cell(baseline, value, unit) };
}

function cell(rounds, value, unit) {
  return `${median(rounds.map(value)).toFixed(1)}${unit}`;
}

function againstWhole({ ours, whole }) {
  const sides = { ours, baseline: whole };
  return [
    {
      what: 'long file: times faster than the program on the undivided file',
      ...both(sides, ({ seconds }) => seconds, ' s'),
      value: medianRatio(whole, ours, ({ seconds }) => seconds),
      ...{ unit: '', target: 1.85, bound: 'at least' },
    },
    {
      what: 'long file: word errors, difference in points',
      ...both(sides, wordErrors, ' %'),
      value: median(ours.map(wordErrors)) - median(whole.map(wordErrors)),
      ...{ unit: ' points', target: 0, bound: 'at most' },
    },
  ];
}

function againstAlone({ ours, alone }) {
  const beside = ({ cpuSeconds, engineSeconds }) => cpuSeconds - engineSeconds;
  const mid = (rounds, value) => median(rounds.map(value));
  const [inPieces, inOne] = [({ engineSeconds }) => engineSeconds, ({ cpuSeconds }) => cpuSeconds];
  return [
    {
      what: 'long file: times faster than one process of the engine',
      ...both({ ours, baseline: alone }, ({ seconds }) => seconds, ' s'),
      value: medianRatio(alone, ours, ({ seconds }) => seconds),
      ...{ unit: '', target: null },
    },
    {
      what: 'long file: processor time beside the engine',
      ...{ ours: cell(ours, beside, ' s'), baseline: cell(ours, inPieces, ' s') },
      value: mid(ours, (round) => (100 * beside(round)) / inPieces(round)),
      ...{ unit: ' %', target: 8, bound: 'at most' },
    },
    {
      what: "long file: the engine's processor time, on all cores and in one process",
      ...{ ours: cell(ours, inPieces, ' s'), baseline: cell(alone, inOne, ' s') },
      value: mid(ours, inPieces) / mid(alone, inOne),
      ...{ unit: '', target: null },
    },
  ];
}

function wordErrors(judged) {
  return judged.wordErrors;
}
