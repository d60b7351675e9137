import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Of tests: runs a script until it has printed a line.
 *
 * @param {string} source of an ES module @param {string} line
 */
export async function runUntilPrinted(source, line) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => {
      stdout += text;
      if (stdout.includes(`${line}\n`)) resolve(undefined);
    });
    void exited.then(() => reject(new Error(`The script ended early: ${stderr}`)));
  });
  return {
    /** @param {NodeJS.Signals} signal @returns {Promise<{ code: number | null, stderr: string }>} */
    async endWith(signal) {
      child.kill(signal);
      const [code] = await exited;
      return { code, stderr };
    },
  };
}
