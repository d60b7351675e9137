import { spawn } from 'node:child_process';

/**
 * The system user of the Postgres programs. Undefined ids mean the user of this process.
 *
 * @typedef {{ uid?: number, gid?: number }} ServerUser
 */

/** Only what the programs need, so that they inherit no secrets. */
export const PLAIN_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program to its end. Never rejects: the code is -1 if the program could not be started.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {ServerUser} user
 * @returns {Promise<{ code: number, output: string }>} output: the last 4,000 characters of both streams
 */
export function run(command, parameters, user = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      ...user,
      cwd: '/',
      env: PLAIN_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const append = (/** @type {Buffer} */ text) => (output = (output + text).slice(-4000));
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}
