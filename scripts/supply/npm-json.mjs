import { execFile } from 'node:child_process';
import { ROOT } from '../lib/root.mjs';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Runs an npm command that prints JSON, which may be usable although the exit code is not 0.
 *
 * @param {readonly string[]} parameters
 * @param {string} [folder] of the project
 * @returns {Promise<{ json: any, stderr: string }>} json is undefined if the output is not JSON
 */
export function runNpmJson(parameters, folder = ROOT) {
  return new Promise((resolve) => {
    const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES };
    execFile('npm', [...parameters, '--loglevel=error'], options, (error, stdout, stderr) => {
      const message = stderr.trim() || error?.message || '';
      try {
        resolve({ json: JSON.parse(stdout), stderr: message });
      } catch {
        resolve({ json: undefined, stderr: message });
      }
    });
  });
}
