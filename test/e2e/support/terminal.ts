import { quoteArgument, startAtTerminal, type StartedProgram } from '../../support/started-program.js';
import { type App, buildEnvironment, type Environment, mainPath } from './program.js';

/** `script`, which creates the terminal, takes other parameters on other systems. */
export const HAS_TERMINALS = process.platform === 'linux';
if (!HAS_TERMINALS)
  console.warn('Skipped tests of programs on a terminal: they require the `script` command of Linux.');

/** Starts a built program in a new terminal, as if by hand. */
export function startProgramAtTerminal(app: App, args: string[], env: Environment): StartedProgram {
  const command = ['exec', ...[process.execPath, mainPath(app), ...args].map(quoteArgument)].join(' ');
  return startAtTerminal(command, { env: buildEnvironment(env) });
}
