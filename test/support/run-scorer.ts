import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian puts the programs of sctk. */
const FOLDER = '/usr/lib/sctk/bin';
/** Bytes of report that are read; some print both texts twice. */
const REPORT_LIMIT = 64 * 1024 * 1024;

/** The scoring program is not on this machine; the message tells how to get it. */
export class ScorerNotInstalledError extends Error {
  override readonly name = 'ScorerNotInstalledError';
}

/**
 * Runs a program of sctk: where Debian puts it, else wherever it is on the path.
 * @returns what it prints @throws ScorerNotInstalledError, or what tells how it failed
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
