import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The recogniser programs of this test process with this text among their arguments. */
export async function findEnginePids(argument = '-ctm'): Promise<number[]> {
  const { stdout } = await run('ps', ['--ppid', String(process.pid), '-o', 'pid=,args=']).catch(() => ({
    stdout: '',
  }));
  const own = stdout
    .split('\n')
    .filter((line) => line.includes('pocketsphinx_batch') && line.includes(argument));
  return own.map((line) => Number.parseInt(line, 10));
}

/** Processes that still run in a folder, wrapped ones included, and child processes without an exit event. */
export async function findRunningProcesses(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'ppid=,args=']);
  // An exiting program has no arguments any more.
  const ours = new RegExp(`^ *${process.pid} (?!ps )`);
  return stdout.split('\n').filter((line) => line.includes(folder) || ours.test(line));
}

export function nextEventLoopTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false));
}
