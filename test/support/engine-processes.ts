import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The programs of this test process that recognise, with this among their arguments. */
export async function findEnginePids(argument = '-ctm'): Promise<number[]> {
  const { stdout } = await run('ps', ['--ppid', String(process.pid), '-o', 'pid=,args=']).catch(() => ({
    stdout: '',
  }));
  const own = stdout
    .split('\n')
    .filter((line) => line.includes('pocketsphinx_batch') && line.includes(argument));
  return own.map((line) => Number.parseInt(line, 10));
}

/** What still runs in a folder, below wrappers too, and what of ours has not ended or was not heard to have ended. */
export async function findRunningProcesses(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'ppid=,args=']);
  // While a program ends it has no arguments any more.
  const ours = new RegExp(`^ *${process.pid} (?!ps )`);
  return stdout.split('\n').filter((line) => line.includes(folder) || ours.test(line));
}

export function nextEventLoopTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false));
}
