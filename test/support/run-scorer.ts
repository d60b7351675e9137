import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian installs the programs of sctk. */
const FOLDER = '/usr/lib/sctk/bin';
/** The maximum length of a report; some print both texts twice. */
const REPORT_LIMIT = 64 * 1024 * 1024;

/** The scoring program is not installed; the message contains the instructions. */
export class ScorerNotInstalledError extends Error {
  override readonly name = 'ScorerNotInstalledError';
}

/**
 * Runs a program of sctk from Debian's folder, else from the path.
 * @returns its output @throws ScorerNotInstalledError, or an error with the reason
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
