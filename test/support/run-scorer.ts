import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian installs the programs of sctk here. */
const FOLDER = '/usr/lib/sctk/bin';
/** The maximum length of a report; some reports contain both texts twice. */
const REPORT_LIMIT = 64 * 1024 * 1024;

/** The message says how to install the program. */
export class ScorerNotInstalledError extends Error {
  override readonly name = 'ScorerNotInstalledError';
}

/**
 * Runs a program of sctk from Debian's folder, otherwise from the PATH.
 * @returns its output @throws ScorerNotInstalledError, or the error of the program
 */
export async function runScorer(program: string, args: readonly string[], folder: string): Promise<string> {
  let missing: unknown;
  for (const file of [join(FOLDER, program), program]) {
    try {
      return (await run(file, args, { cwd: folder, maxBuffer: REPORT_LIMIT })).stdout;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      missing = error;
    }
  }
  throw new ScorerNotInstalledError(`${program} is not installed. Install it with \`apt install sctk\`.`, {
    cause: missing,
  });
}
