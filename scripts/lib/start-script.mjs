import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Of tests: starts Node.
 *
 * @param {readonly string[]} parameters
 */
export function startScript(parameters) {
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (output.stdout += text));
  child.stderr.on('data', (text) => (output.stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }));
  const prints = (line) =>
    new Promise((resolve, reject) => {
      const check = () => `${output.stdout}\n${output.stderr}`.includes(`${line}\n`) && resolve(undefined);
      for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
      check();
      void ended.then(({ stderr }) => reject(new Error(`The script ended early: ${stderr}`)));
    });
  const endWith = (signal) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid,
    /** So far. */
    printed: output,
    /** Resolves to the exit code (null after a signal) and what was printed. */
    ended,
    /** Resolves when the script has printed a line. @type {(line: string) => Promise<void>} */
    prints,
    /** @type {(signal: NodeJS.Signals) => typeof ended} */
    endWith,
  };
}

/**
 * Of tests: runs a script until it has printed a line.
 *
 * @param {string} source of an ES module @param {string} line
 */
export async function runUntilPrinted(source, line) {
  const script = startScript(['--input-type=module', '-e', source]);
  await script.prints(line);
  return script;
}
