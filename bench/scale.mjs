import { join } from 'node:path';
import { Client } from 'undici';
import { createDataSource } from '../dist/libs/database/src/index.js';
import { FileObjectStore } from '../dist/libs/storage/src/index.js';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { createBenchAccounts, startApi } from './lib/programs.mjs';
import { median, medianRatio, runInterleaved } from './lib/statistics.mjs';
import { fillDatabase } from './scale/fill-database.mjs';
import { OPERATIONS } from './scale/operations.mjs';

const FULL = { ended: 500_000, accounts: 10_000, waiting: 100_000, transcripts: 20_000, rounds: 5 };
const QUICK = { ended: 50_000, accounts: 1_000, waiting: 10_000, transcripts: 2_000, rounds: 3 };
const EMPTY = { ended: 500, accounts: 1, waiting: 1_000, transcripts: 100 };
const MAX_RATIO = 1.2;
const CONCURRENT_WRITES = 16;

/**
 * Operations on a database with many ended jobs, accounts and waiting stages, and a file store with many transcripts, compared
 * with the same on an almost empty one.
 *
 * @param {{ quick: boolean, jobs?: number, transcripts?: number }} options jobs: ended ones
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchScale({ quick, jobs, transcripts }) {
  const size = {
    ...(quick ? QUICK : FULL),
    ...(jobs && { ended: jobs }),
    ...(transcripts && { transcripts }),
  };
  const { measured, starts } = await withBenchDatabase((full) =>
    withBenchDatabase(async (empty) => {
      const sides = [await openSide(full, size), await openSide(empty, EMPTY)];
      try {
        return await measureSides(size.rounds, sides);
      } finally {
        for (const { close } of sides) await close();
      }
    }),
  );
  const setting = `${size.ended} ended jobs, ${size.accounts} accounts, ${size.waiting} waiting stages and due webhooks, ${size.transcripts} transcripts, against ${EMPTY.ended}, ${EMPTY.accounts}, ${EMPTY.waiting} and ${EMPTY.transcripts}; medians of ${size.rounds} rounds.`;
  const findings = [
    ...OPERATIONS.map(({ what }) => buildFinding(what, measured[what])),
    buildFinding('start', starts),
  ];
  return { name: 'scale', setting, findings, rounds: { ...measured, starts } };
}

/** @returns {Promise<import('./scale/operations.mjs').Side & { start: () => Promise<number>, close: () => Promise<void> }>} */
async function openSide(environment, size) {
  const [account] = await createBenchAccounts(environment, 1);
  const { databaseUrl, folder } = environment;
  await fillDatabase(databaseUrl, { own: account.accountId, ...size }, (done) => {
    if (done % 100_000 === 0) printProgress(`  ${done} ended jobs are inserted`);
  });
  const dataSource = await createDataSource({
    ...{ url: databaseUrl, poolSize: 4, applicationName: 'zephyr-bench' },
    statementTimeoutMs: 600_000,
  }).initialize();
  const rows = await dataSource.query(
    `SELECT id FROM job WHERE account_id = $1 AND status = 'completed' ORDER BY md5(id::text) LIMIT 200`,
    [account.accountId],
  );
  const store = await openStore(join(folder, 'bench-objects'), size.transcripts);
  const api = environment.stopAfterwards(await startApi(environment));
  const client = new Client(api.origin);
  const start = async () => {
    const startedAt = performance.now();
    const other = await startApi(environment);
    const milliseconds = performance.now() - startedAt;
    await other.stop();
    return milliseconds;
  };
  const close = async () => {
    await client.destroy();
    await store.close();
    await dataSource.destroy();
  };
  return {
    dataSource,
    store,
    client,
    account,
    jobIds: rows.map(({ id }) => id),
    waiting: size.waiting,
    start,
    close,
  };
}

async function openStore(root, transcripts) {
  const signingKeys = [{ id: 'k', key: Buffer.alloc(32) }];
  const store = await FileObjectStore.open({ root, publicUrl: 'http://127.0.0.1', signingKeys });
  let next = 0;
  const writeAll = async () => {
    for (let at = next++; at < transcripts; at = next++)
      await store.put(
        `transcripts/${crypto.randomUUID()}/f1/transcript.json`,
        Buffer.from('{}'),
        'application/json',
      );
  };
  await Promise.all(Array.from({ length: CONCURRENT_WRITES }, writeAll));
  return store;
}

async function measureSides(rounds, [full, empty]) {
  const measured = {};
  for (const operation of OPERATIONS) {
    const alternate = {
      ours: () => measureRound(full, operation),
      baseline: () => measureRound(empty, operation),
    };
    await runInterleaved(1, alternate);
    measured[operation.what] = await runInterleaved(rounds, alternate);
    printProgress(`  ${operation.what} is measured`);
  }
  const starts = await runInterleaved(rounds, { ours: full.start, baseline: empty.start });
  return { measured, starts };
}

/** @returns {Promise<number>} milliseconds of one operation, the median of those of the round */
async function measureRound(side, { count, prepare, run, finish }) {
  const prepared = await prepare?.(side, count);
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await run(side, index, prepared);
    times.push(performance.now() - startedAt);
  }
  await finish?.(side);
  return median(times);
}

/** @returns {import('./lib/report.mjs').Finding} */
function buildFinding(what, { ours, baseline }) {
  return {
    what: `at scale, ${what}`,
    ours: `${median(ours).toFixed(2)} ms`,
    baseline: `${median(baseline).toFixed(2)} ms`,
    ...{ value: medianRatio(ours, baseline, (ms) => ms), unit: '', target: MAX_RATIO, bound: 'at most' },
  };
}
