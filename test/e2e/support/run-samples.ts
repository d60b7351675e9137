import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PageSamples, Sample } from '../../../scripts/guide/list-samples.mjs';
import { spawnBoundToParent } from '../../support/child-process.js';
import { until } from './until.js';

const PAGE_MS = 150_000;
const BACKGROUND_MS = 40_000;

export interface SampleEnvironment {
  /** Where they run. */
  folder: string;
  env: Record<string, string>;
  /** What is written differently here, such as a port that is free. */
  replacements: Readonly<Record<string, string>>;
}

/**
 * Runs the code of a page in one shell, in order, as a reader would paste it. Files are saved before.
 * @returns what is wrong with each block whose output lacks a text
 * @throws Error with the output if a command fails
 */
export async function runSamples(
  { samples }: PageSamples,
  environment: SampleEnvironment,
): Promise<string[]> {
  const { folder, env, replacements } = environment;
  const adapt = (code: string) =>
    Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), code);
  for (const { file, code } of samples)
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), adapt(code));
    }
  const running = samples.filter(({ run }) => run);
  const script = running.map((sample, at) =>
    buildCommands(sample, adapt(sample.code), join(folder, `output-${at}`)),
  );
  const shell = spawnBoundToParent('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  });
  const code = new Promise<number | null>((resolve) => void shell.once('exit', resolve));
  const readOutput = (at: number) => readFile(join(folder, `output-${at}`), 'utf8').catch(() => '');
  try {
    const ended = await Promise.race([code, rejectAfter(PAGE_MS)]);
    const outputs = await Promise.all(running.map((_, at) => readOutput(at)));
    if (ended !== 0) throw new Error(`The shell ended with ${ended}.\n${outputs.join('\n---\n')}`);
    return (await Promise.all(running.map((sample, at) => findProblem(sample, () => readOutput(at))))).flat();
  } finally {
    // The programs in the background.
    if (shell.pid !== undefined) killGroup(shell.pid);
  }
}

function buildCommands({ background }: Sample, code: string, output: string): string {
  return background ? `{\n${code}\n} > ${output} 2>&1 &` : `{\n${code}\n} > ${output} 2>&1`;
}

async function findProblem({ prints, background }: Sample, read: () => Promise<string>): Promise<string[]> {
  if (prints === undefined) return [];
  if (background)
    await until(`a block prints ${prints}`, async () => (await read()).includes(prints), BACKGROUND_MS);
  const output = await read();
  return output.includes(prints) ? [] : [`Nothing says ${JSON.stringify(prints)} in:\n${output}`];
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`The shell has not ended after ${ms} ms.`)), ms).unref();
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing runs any more.
  }
}
