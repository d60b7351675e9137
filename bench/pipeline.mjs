import { say } from '../scripts/lib/trouble.mjs';
import { secondsOfTree, timesOf } from './lib/cpu.mjs';
import { openAccounts, startApi, startProgram } from './lib/programs.mjs';
import { hasRedis, startRedis } from './lib/redis.mjs';
import { withDatabase } from './lib/scene.mjs';
import { interleaved, median, medianRatio } from './lib/statistics.mjs';
import { Callers } from './pipeline/callers.mjs';

const PROCESSOR = new URL('pipeline/null-processor.mjs', import.meta.url);
const BASELINE = new URL('baseline/queue.mjs', import.meta.url);
const FULL = { rounds: 3, jobs: 100 };
const QUICK = { rounds: 1, jobs: 60 };
const WARM_UP = 50;

/**
 * Jobs from their complete to their end, with nothing to decode and nothing to recognise, against the bare queue with as
 * many deliveries; over both queues that there are.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function pipeline({ quick, profile }) {
  const { rounds, jobs } = quick ? QUICK : FULL;
  const queues = hasRedis() ? ['Postgres', 'Redis'] : ['Postgres'];
  if (queues.length === 1) say('  redis-server is not installed: only the queue in Postgres is measured');
  const measured = {};
  for (const queue of queues) {
    measured[queue] = await withDatabase((scene) => throughQueue(scene, { queue, rounds, jobs, profile }));
    say(`  over ${queue}: measured`);
  }
  const setting = `${jobs} jobs of three deliveries each, handed in by 16 callers at once, one api and one processor; medians of ${rounds} rounds.`;
  return {
    name: 'pipeline',
    setting,
    findings: Object.entries(measured).flatMap(([queue, sides]) => findings(queue, sides)),
    rounds: measured,
  };
}

/** @param {import('./lib/scene.mjs').Scene} scene */
async function throughQueue(scene, { queue, rounds, jobs, profile }) {
  const redis = queue === 'Redis' ? scene.keep(await startRedis(scene.folder)) : null;
  const env = redis ? { REDIS_URL: redis.url } : {};
  const [{ apiKey }] = await openAccounts(scene, 1);
  const api = scene.keep(await startApi({ ...scene, more: env, profile }));
  const execArgv = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const processor = scene.keep(
    await startProgram(PROCESSOR, scene, { env: { ...env, PORT: new URL(api.origin).port }, execArgv }),
  );
  const bare = scene.keep(await startProgram(BASELINE, scene, { env }));
  const callers = new Callers(api.origin, apiKey, scene.databaseUrl);
  const used = () => ({
    api: timesOf(api.pid).own,
    processor: timesOf(processor.pid).own + timesOf(bare.pid).own,
    database: secondsOfTree(scene.postmaster) + (redis ? secondsOfTree(redis.pid) : 0),
  });
  const sides = (count) => ({
    ours: async () => {
      const uploaded = await callers.upload(count);
      return round(count, used, () => callers.complete(uploaded));
    },
    baseline: () => round(count, used, () => bare.ask({ jobs: count })),
  });
  try {
    await interleaved(1, sides(WARM_UP));
    return await interleaved(rounds, sides(jobs));
  } finally {
    await callers.close();
  }
}

/** @param {number} count @param {() => Record<string, number>} used @param {() => Promise<unknown>} work */
async function round(count, used, work) {
  const before = used();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const after = used();
  const millis = Object.fromEntries(
    Object.keys(after).map((part) => [part, ((after[part] - before[part]) * 1_000) / count]),
  );
  return { ...millis, perSecond: count / seconds, all: millis.api + millis.processor + millis.database };
}

function findings(queue, { ours, baseline }) {
  const rate = ({ perSecond }) => perSecond;
  const cell = (rounds, of, digits, unit) => `${median(rounds.map(of)).toFixed(digits)}${unit}`;
  const spent = (part, what) => {
    const of = (each) => each[part];
    return {
      what: `pipeline over ${queue}: processor time of a job${what}`,
      ours: cell(ours, of, 2, ' ms'),
      // The bare queue has no api.
      baseline: part === 'api' ? '' : cell(baseline, of, 2, ' ms'),
      ...{ value: part === 'api' ? null : medianRatio(ours, baseline, of), unit: '', target: null },
    };
  };
  return [
    {
      what: `pipeline over ${queue}: jobs`,
      ...{ ours: cell(ours, rate, 0, '/s'), baseline: cell(baseline, rate, 0, '/s') },
      ...{ value: medianRatio(ours, baseline, rate), unit: '', target: 0.5, bound: 'at least' },
    },
    spent('all', ''),
    spent('api', ', of the api'),
    spent('processor', ', of the processor'),
    spent('database', `, of the database${queue === 'Redis' ? ' and Redis' : ''}`),
  ];
}
