import {
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';
import { once } from 'node:events';

/** The character that Ctrl+C sends. */
export const CTRL_C = '\u0003';

/** A program that a test reads and writes to while it runs. */
export interface StartedProgram {
  child: ChildProcessWithoutNullStreams;
  /** What it has printed so far, on stdout and stderr; at a terminal also what the terminal echoed. */
  output: () => string;
  /** Its exit code; -1 after a signal. Rejects if the program cannot be started. */
  ended: Promise<number>;
}

export function startProgram(
  program: string,
  parameters: readonly string[],
  options: SpawnOptionsWithoutStdio,
): StartedProgram {
  const child = spawn(program, parameters, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code]) => (code as number | null) ?? -1);
  // Also if the test waits for something else first.
  ended.catch((error: unknown) => (output += String(error)));
  return { child, output: () => output, ended };
}

/** Starts a command of a shell at a terminal of its own, as `script` of Linux creates it. */
export function startAtTerminal(command: string, options: SpawnOptionsWithoutStdio): StartedProgram {
  return startProgram('script', ['-qec', command, '/dev/null'], options);
}

/** Quotes one word for a shell. */
export function quoteArgument(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
