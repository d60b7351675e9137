/** Something the person at the keyboard can put right: one line that says what, and what to do. */
export class Trouble extends Error {
  /** @param {string} line @param {string} [details] longer output, shown above the line */
  constructor(line, details = '') {
    super(line);
    this.details = details;
  }
}

/** Tells what is going on. Standard output belongs to the commands themselves. @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs an entry script and ends the process with its exit code; a Trouble ends it with its line and code 1.
 *
 * @param {() => Promise<number>} script
 */
export async function runScript(script) {
  try {
    process.exitCode = await script();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.details) say(error.details.trimEnd());
    say(error.message);
    process.exitCode = 1;
  }
}
