import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { say, Trouble } from '../../scripts/lib/trouble.mjs';
import { acquireEmbeddedPostgres } from '../../dist/libs/database/src/index.js';
import { timesOf } from './cpu.mjs';

const ENDING = /** @type {const} */ (['SIGINT', 'SIGTERM']);
/** A database takes a moment to let go of its folder. */
const TRIES = 20;

/**
 * A folder for the time of some work. It goes afterwards, also when the work fails, or when a signal asks the measuring to
 * end: this rejects then, though what was under way may still come to its end.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work @returns {Promise<T>}
 */
export function inFolder(work) {
  return folderFor((folder) => untilInterrupted(() => work(folder)));
}

/**
 * @typedef {object} Scene
 * @property {string} folder
 * @property {string} databaseUrl of a database in it
 * @property {number} postmaster pid of the process that all others of the database come from
 * @property {<P extends import('./programs.mjs').Program>(program: P) => P} keep to be told of every program that was
 *   started: it ends with the work
 */

/**
 * As `inFolder`, with a database and the programs that are started there.
 *
 * @template T
 * @param {(scene: Scene) => Promise<T>} work @returns {Promise<T>}
 */
export function withDatabase(work) {
  return folderFor(async (folder) => {
    const logger = { info: () => undefined, warn: say };
    const postgres = await acquireEmbeddedPostgres({ dataDir: folder, logger });
    /** @type {import('./programs.mjs').Program[]} */
    const programs = [];
    /** @type {Scene['keep']} */
    const keep = (program) => {
      programs.push(program);
      return program;
    };
    try {
      const databaseUrl = postgres.url;
      const postmaster = await postmasterOf(databaseUrl);
      return await untilInterrupted(() => work({ folder, databaseUrl, postmaster, keep }));
    } finally {
      await Promise.all(programs.map((program) => program.stop()));
      await postgres.release();
    }
  });
}

/** The parent of the process that serves our connection. @param {string} databaseUrl */
async function postmasterOf(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const { parent } = timesOf(rows[0].pid);
  await client.end();
  return parent;
}

/** @template T @param {(folder: string) => Promise<T>} work @returns {Promise<T>} */
async function folderFor(work) {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: TRIES });
  }
}

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function untilInterrupted(work) {
  /** @type {() => void} */
  let end = () => undefined;
  const interrupted = new Promise((_, reject) => {
    end = () => reject(new Trouble('The measuring was ended.'));
  });
  for (const signal of ENDING) process.on(signal, end);
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    for (const signal of ENDING) process.off(signal, end);
  }
}
