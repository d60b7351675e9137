import { Interruption } from './interruption.mjs';

/** An error that the user can fix; the message is one line with cause and remedy. */
export class UserFacingError extends Error {
  /** @param {string} line @param {string} [details] longer output, shown above the line */
  constructor(line, details = '') {
    super(line);
    this.details = details;
  }
}

/** Writes to standard error, as standard output is for results. @param {string} line */
export function printProgress(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a script and sets its exit code; a UserFacingError prints its message and sets code 1. An Interruption ends the process.
 *
 * @param {() => Promise<number>} script
 */
export async function runScript(script) {
  try {
    process.exitCode = await script();
  } catch (error) {
    if (error instanceof Interruption) process.exit(error.exitCode);
    if (!(error instanceof UserFacingError)) throw error;
    if (error.details) printProgress(error.details.trimEnd());
    printProgress(error.message);
    process.exitCode = 1;
  }
}
