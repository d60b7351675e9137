import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PageSamples, Sample } from '../../../scripts/guide/list-samples.mjs';
import { spawnBoundToParent } from '../../support/child-process.js';
import { until } from './until.js';

const PAGE_MS = 230_000;
const BACKGROUND_MS = 40_000;

export interface SampleEnvironment {
  /** Where they run. */
  folder: string;
  env: Record<string, string>;
  /** What is written differently here, such as a port that is free. */
  replacements: Readonly<Record<string, string>>;
  /** A file with what a reader enters, such as the key for `zephyr login`. */
  input?: string;
  /** A command that runs the shell, such as on a machine of its own. */
  enter?: readonly string[];
}

/**
 * Runs the code of a page in one shell, in order, as a reader would paste it. Files are saved before.
 * @returns what is wrong with each block whose output lacks a text
 * @throws Error with the output if a command fails
 */
export async function runGuidePageSamples(
  { samples }: PageSamples,
  environment: SampleEnvironment,
): Promise<string[]> {
  const { folder, env, replacements, input = '/dev/null', enter = [] } = environment;
  const adapt = (code: string) =>
    Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), code);
  for (const { file, code } of samples)
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), adapt(code));
    }
  const running = samples
    .filter(({ run }) => run !== undefined)
    .map((sample) => ({ ...sample, code: adapt(sample.code), prints: adapt(sample.prints ?? '') }));
  const outputFolder = await mkdtemp(join(tmpdir(), 'samples-output-'));
  const script = running.map((sample, at) => buildCommands(sample, join(outputFolder, String(at))));
  const commands = [`exec < ${input}`, ...script].join('\n');
  const [program, ...parameters] = [...enter, 'bash', '-euo', 'pipefail', '-c', commands];
  const shell = spawnBoundToParent(program, parameters, {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  });
  const code = new Promise<number | null>((resolve) => void shell.once('exit', resolve));
  const readOutput = (at: number) => readFile(join(outputFolder, String(at)), 'utf8').catch(() => '');
  try {
    const ended = await Promise.race([code, waitFor(PAGE_MS)]);
    const outputs = await Promise.all(running.map((_, at) => readOutput(at)));
    if (ended !== 0)
      throw new Error(`The shell ended with ${ended} (null: not in time).\n${outputs.join('\n---\n')}`);
    return (await Promise.all(running.map((sample, at) => findProblem(sample, () => readOutput(at))))).flat();
  } finally {
    // The programs in the background.
    if (shell.pid !== undefined) killGroup(shell.pid);
    await rm(outputFolder, { recursive: true, force: true });
  }
}

function buildCommands({ code, background, ready }: Sample, output: string): string {
  const block = `{\n${code}\n} > ${output} 2>&1`;
  if (!background) return block;
  if (ready === undefined) return `${block} &`;
  return `${block} &\nuntil grep -q ${JSON.stringify(ready)} ${output}; do kill -0 $!; sleep 0.2; done`;
}

async function findProblem({ prints, background }: Sample, read: () => Promise<string>): Promise<string[]> {
  if (!prints) return [];
  if (background)
    await until(`a block prints ${prints}`, async () => (await read()).includes(prints), BACKGROUND_MS);
  const output = await read();
  return output.includes(prints) ? [] : [`Nothing says ${JSON.stringify(prints)} in:\n${output}`];
}

function waitFor(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing runs any more.
  }
}
