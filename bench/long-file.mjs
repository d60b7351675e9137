import { dialogue } from '../scripts/material/library.mjs';
import { say } from '../scripts/lib/trouble.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { loadJudges } from './lib/judges.mjs';
import { RunningService } from './lib/running-service.mjs';
import { interleaved, median, medianRatio } from './lib/statistics.mjs';

/** Many short rounds rather than a few long ones: what a shared machine gives changes within minutes. */
const FULL = { seconds: 200, rounds: 5 };
const QUICK = { seconds: 60, rounds: 1 };

/**
 * A dialogue through the service on all cores, against the bare engine on the undivided file.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/result.mjs').Result>}
 */
export async function longFile({ quick }) {
  const { seconds, rounds } = quick ? QUICK : FULL;
  const { path, duration, turns } = await dialogue({ seconds, voices: 2, seed: 7 });
  const script = turns.map(({ text }) => text).join(' ');
  const { wordErrorRate } = await loadJudges();
  const engine = new BareEngine();
  const service = await RunningService.start();
  try {
    const { path: short } = await dialogue({ seconds: 10, voices: 2, seed: 7 });
    await service.transcribe(short);
    const measured = await interleaved(rounds, {
      baseline: () => told('bare engine', engine.hear({ path, duration })),
      ours: () => told('service', throughService(service, path)),
      twice: () => told('two bare engines', heardTwice({ path, duration })),
    });
    const { twice, ...sides } = measured;
    const judged = {};
    for (const [side, heard] of Object.entries(sides)) {
      judged[side] = [];
      for (const { text, ...times } of heard) {
        judged[side].push({ ...times, wordErrors: (await wordErrorRate(script, text)).percent });
      }
    }
    return {
      name: 'long-file',
      setting: setting(duration, rounds),
      findings: [...findings(judged), ceiling(measured)],
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

/** Two undivided runs at once, which nothing holds up but what they share. @param {{ path: string, duration: number }} audio */
async function heardTwice(audio) {
  const began = performance.now();
  await Promise.all([new BareEngine().hear(audio), new BareEngine().hear(audio)]);
  return { seconds: (performance.now() - began) / 1000 };
}

/** What the machine itself allows. */
function ceiling({ twice, baseline }) {
  const seconds = (rounds) => `${median(rounds.map((round) => round.seconds)).toFixed(1)} s`;
  return {
    what: 'two bare engines at once: times faster than one after the other',
    ours: seconds(twice),
    baseline: seconds(baseline),
    value: 2 * medianRatio(baseline, twice, (round) => round.seconds),
    ...{ unit: '', target: null },
  };
}

/** @template {{ seconds: number }} T @param {string} side @param {Promise<T>} measuring */
async function told(side, measuring) {
  const measured = await measuring;
  say(`  ${side}: ${measured.seconds.toFixed(1)} s`);
  return measured;
}

function setting(duration, rounds) {
  return `A dialogue of ${duration} s (WAV, 2 voices), upload to \`completed\`; medians of ${rounds} rounds.`;
}

function findings({ ours, baseline }) {
  const mid = (rounds, value) => median(rounds.map(value));
  const both = (value, unit) => ({
    ours: `${mid(ours, value).toFixed(1)}${unit}`,
    baseline: `${mid(baseline, value).toFixed(1)}${unit}`,
  });
  const others = ({ cpuSeconds, engineSeconds }) => (100 * (cpuSeconds - engineSeconds)) / engineSeconds;
  return [
    {
      what: 'long file: times faster than the bare engine',
      ...both(({ seconds }) => seconds, ' s'),
      ...{
        value: medianRatio(baseline, ours, ({ seconds }) => seconds),
        unit: '',
        target: 1.85,
        bound: 'at least',
      },
    },
    {
      what: 'long file: word errors, difference in points',
      ...both(({ wordErrors }) => wordErrors, ' %'),
      value: mid(ours, ({ wordErrors }) => wordErrors) - mid(baseline, ({ wordErrors }) => wordErrors),
      ...{ unit: ' points', target: 0, bound: 'at most' },
    },
    {
      what: 'long file: processor time beside the engine',
      ours: `${mid(ours, ({ cpuSeconds, engineSeconds }) => cpuSeconds - engineSeconds).toFixed(1)} s`,
      baseline: `${mid(ours, ({ engineSeconds }) => engineSeconds).toFixed(1)} s`,
      ...{ value: mid(ours, others), unit: ' %', target: 8, bound: 'at most' },
    },
    {
      what: "long file: the engine's processor time, in pieces and undivided",
      ours: `${mid(ours, ({ engineSeconds }) => engineSeconds).toFixed(1)} s`,
      baseline: `${mid(baseline, ({ cpuSeconds }) => cpuSeconds).toFixed(1)} s`,
      value: mid(ours, ({ engineSeconds }) => engineSeconds) / mid(baseline, ({ cpuSeconds }) => cpuSeconds),
      ...{ unit: '', target: null },
    },
  ];
}
