import { spawn } from 'node:child_process';

/**
 * The system user as whom Postgres programs run. Undefined ids mean: as ourselves.
 *
 * @typedef {{ uid?: number, gid?: number }} ServerUser
 */

/** Only what a program needs to find its libraries: no secrets of ours are handed down. */
export const PLAIN_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program to its end. Never rejects: a program that could not be started has code -1.
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
    const keep = (/** @type {Buffer} */ text) => (output = (output + text).slice(-4000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}
