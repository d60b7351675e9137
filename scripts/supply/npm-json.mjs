import { execFile } from 'node:child_process';
import { ROOT } from '../lib/root.mjs';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What npm answers to a command that prints JSON, whatever its exit code says of the answer.
 *
 * @param {readonly string[]} parameters
 * @param {string} [folder] of the project that is asked about
 * @returns {Promise<{ answer: any, said: string }>} the answer (undefined when it is no JSON), and what else npm said
 */
export function npmJson(parameters, folder = ROOT) {
  return new Promise((resolve) => {
    const options = { cwd: folder, maxBuffer: MOST_BYTES };
    execFile('npm', [...parameters, '--loglevel=error'], options, (error, stdout, stderr) => {
      const said = stderr.trim() || error?.message || '';
      try {
        resolve({ answer: JSON.parse(stdout), said });
      } catch {
        resolve({ answer: undefined, said });
      }
    });
  });
}
