import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { STOP_SIGNALS } from '../../scripts/lib/interruption.mjs';
import { printProgress, UserFacingError } from '../../scripts/lib/user-facing-error.mjs';
import { acquireEmbeddedPostgres } from '../../dist/libs/database/src/index.js';
import { readProcessTimes } from './process-times.mjs';

/** The database releases its folder with a delay. */
const MAX_DELETE_TRIES = 20;

/**
 * Runs work with a temporary folder, which is deleted afterwards. Rejects on SIGINT, SIGTERM and SIGHUP, although the work may
 * continue.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work @returns {Promise<T>}
 */
export function withTemporaryFolder(work) {
  return runWithFolder((folder) => runUntilInterrupted(() => work(folder)));
}

/**
 * @typedef {object} BenchEnvironment
 * @property {string} folder
 * @property {string} databaseUrl of a database in the folder
 * @property {number} postmaster pid of the parent of all processes of the database
 * @property {<P extends import('./programs.mjs').Program>(program: P) => P} stopAfterwards registers a program
 *   to be stopped after the work
 */

/**
 * As `withTemporaryFolder`, with a database and programs that use it.
 *
 * @template T
 * @param {(environment: BenchEnvironment) => Promise<T>} work @returns {Promise<T>}
 */
export function withBenchDatabase(work) {
  return runWithFolder(async (folder) => {
    const logger = { info: () => undefined, warn: printProgress };
    const postgres = await acquireEmbeddedPostgres({ dataDir: folder, logger });
    /** @type {import('./programs.mjs').Program[]} */
    const programs = [];
    /** @type {BenchEnvironment['stopAfterwards']} */
    const stopAfterwards = (program) => {
      programs.push(program);
      return program;
    };
    try {
      const databaseUrl = postgres.url;
      const postmaster = await findPostmaster(databaseUrl);
      return await runUntilInterrupted(() => work({ folder, databaseUrl, postmaster, stopAfterwards }));
    } finally {
      await Promise.all(programs.map((program) => program.stop()));
      await postgres.release();
    }
  });
}

/** Finds the parent of the process that serves a connection. @param {string} databaseUrl */
async function findPostmaster(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const { parent } = readProcessTimes(rows[0].pid);
  await client.end();
  return parent;
}

/** @template T @param {(folder: string) => Promise<T>} work @returns {Promise<T>} */
async function runWithFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: MAX_DELETE_TRIES });
  }
}

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function runUntilInterrupted(work) {
  /** @type {() => void} */
  let interrupt = () => undefined;
  const interruption = new Promise((_, reject) => {
    interrupt = () => reject(new UserFacingError('The benchmark was interrupted.'));
  });
  for (const signal of STOP_SIGNALS) process.on(signal, interrupt);
  try {
    return await Promise.race([work(), interruption]);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, interrupt);
  }
}
