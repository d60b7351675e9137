import { spawn, type ChildProcess } from 'node:child_process';
import { type App, buildEnvironment, type Environment, mainPath } from './program.js';

/** The character that Ctrl+C sends. */
export const CTRL_C = '\u0003';

/** `script`, which creates the terminal, takes other parameters on other systems. */
export const HAS_TERMINALS = process.platform === 'linux';
if (!HAS_TERMINALS)
  console.warn('Skipped tests of programs on a terminal: they require the `script` command of Linux.');

/** A built program in a new terminal, as if started by hand. */
export class Terminal {
  /** Its output so far. */
  output = '';
  /** Its exit code. */
  readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  static start(app: App, args: string[], env: Environment): Terminal {
    const command = ['exec', ...[process.execPath, mainPath(app), ...args].map(quoteArgument)].join(' ');
    return new Terminal(spawn('script', ['-qec', command, '/dev/null'], { env: buildEnvironment(env) }));
  }

  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Ends the program like a closed terminal window. */
  close(): void {
    this.child.kill('SIGHUP');
  }
}

/** Quotes one word for a shell. */
function quoteArgument(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
