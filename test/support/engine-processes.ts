import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Process ids of the recogniser programs of this test process whose arguments contain a text. */
export async function findEnginePids(argument = '-ctm'): Promise<number[]> {
  const { stdout } = await run('ps', ['--ppid', String(process.pid), '-o', 'pid=,args=']).catch(() => ({
    stdout: '',
  }));
  return stdout
    .split('\n')
    .filter((line) => line.includes('pocketsphinx_batch') && line.includes(argument))
    .map((line) => Number.parseInt(line, 10));
}

/** Lines of `ps` of processes whose arguments name the folder, and of child processes that have not been reaped. */
export async function findRunningProcesses(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'ppid=,args=']);
  // An exiting program has no arguments any more, so that the folder does not identify it.
  const childProcess = new RegExp(`^ *${process.pid} (?!ps )`);
  return stdout.split('\n').filter((line) => line.includes(folder) || childProcess.test(line));
}

export function nextEventLoopTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false));
}
