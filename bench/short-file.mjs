import { makeDialogue } from '../scripts/material/library.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { RunningService } from './lib/running-service.mjs';
import { runInterleaved, median } from './lib/statistics.mjs';

/**
 * Time from create to `completed` of a short file, compared with its recognition by the bare engine.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchShortFile({ quick }) {
  const rounds = quick ? 3 : 10;
  const { path, duration } = await makeDialogue({ seconds: 10, voices: 2, seed: 7 });
  const engine = new BareEngine();
  const service = await RunningService.start();
  try {
    await service.transcribe(path);
    await engine.transcribe({ path, duration });
    const { ours, baseline } = await runInterleaved(rounds, {
      ours: () => service.transcribe(path),
      baseline: () => engine.transcribe({ path, duration }),
    });
    const seconds = { ours: ours.map(getSeconds), baseline: baseline.map(getSeconds) };
    return {
      name: 'short-file',
      setting: `A dialogue of ${duration} s (WAV), create to \`completed\`; medians of ${rounds} rounds.`,
      findings: [toFinding(seconds)],
      rounds: seconds,
    };
  } finally {
    await service.stop();
  }
}

/** @param {{ seconds: number }} measured */
function getSeconds({ seconds }) {
  return seconds;
}

/** @param {{ ours: number[], baseline: number[] }} seconds */
function toFinding({ ours, baseline }) {
  return {
    what: 'short file: longer than the bare engine by',
    ours: `${median(ours).toFixed(2)} s`,
    baseline: `${median(baseline).toFixed(2)} s`,
    value: median(ours.map((each, round) => each - baseline[round])),
    ...{ unit: ' s', target: 0.3, bound: 'at most' },
  };
}
