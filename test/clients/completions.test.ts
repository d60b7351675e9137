import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SHELLS } from './support/complete-in-shells.js';

const run = promisify(execFile);
const COMMANDS = 'completion doctor eval help jobs listen login logout transcribe transcript watch'.split(
  ' ',
);
const FORMATS = ['docx', 'json', 'pdf', 'srt', 'txt', 'vtt'];

/** What is typed, and what is offered. */
const CASES: [string, string[]][] = [
  ['zephyr ', COMMANDS],
  ['zephyr tr', ['transcribe', 'transcript']],
  ['zephyr --', ['--help', '--version']],
  ['zephyr help jo', ['jobs']],
  ['zephyr transcribe --form', ['--format']],
  ['zephyr transcribe --concurrency 2 --no-p', ['--no-punctuation']],
  ['zephyr transcribe --format ', FORMATS],
  ['zephyr transcribe -f ', FORMATS],
  ['zephyr transcribe --format=s', ['srt']],
  ['zephyr watch --format s', ['srt']],
  ['zephyr transcribe ta', ['talk.wav', 'talks']],
  ['zephyr transcribe -o ta', ['talk.wav', 'talks']],
  ['zephyr watch ta', ['talks']],
  ['zephyr eval --transcripts ta', ['talks']],
  ['zephyr jobs ', ['cancel', 'delete', 'get', 'list']],
  ['zephyr jobs list --st', ['--status']],
  ['zephyr jobs list --status ', ['completed', 'failed', 'processing']],
  ['zephyr jobs get ', []],
  ['zephyr transcript ', []],
  ['zephyr login ', []],
  ['zephyr listen --forward ', []],
  ['zephyr completion ', ['bash', 'fish', 'man', 'zsh']],
];

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'completions-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function isInstalled(program: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

describe('the completions of zephyr', () => {
  it.for(SHELLS)(
    'offer commands, options, values, files and folders in $name, and nothing where nothing fits',
    async ({ name, complete }, context) => {
      if (!(await isInstalled(name))) return context.skip(`${name} is not installed.`);
      const home = join(folder, name);
      await mkdir(join(home, 'talks'), { recursive: true });
      await writeFile(join(home, 'talk.wav'), '');
      const offered = await complete(
        CASES.map(([line]) => line),
        home,
      );
      // Some shells show a joined value with its option.
      const tidy = (words: string[]) =>
        words.map((word) => word.replace(/^--\w+=(?=.)|[/=]$/g, '')).toSorted();
      expect(CASES.map(([line], index) => [line, tidy(offered[index] ?? [])])).toEqual(CASES);
    },
  );
});

describe('the manual page of zephyr', () => {
  const page = () => join(inject('installedPackages'), 'node_modules/zephyr-cli/man/zephyr.1');

  it('has no warning of groff', async (context) => {
    if (!(await isInstalled('groff'))) return context.skip('groff is not installed.');
    const parameters = ['-man', '-Tutf8', '-ww', '-z', page()];
    expect(await run('groff', parameters)).toEqual({ stdout: '', stderr: '' });
  });

  it('has no warning of mandoc, except that it bears no date', async (context) => {
    if (!(await isInstalled('mandoc'))) return context.skip('mandoc is not installed.');
    const parameters = ['-T', 'lint', '-W', 'warning', page()];
    // It ends with the level of the worst message.
    const linted = await run('mandoc', parameters).catch((error: unknown) => error as { stdout: string });
    const messages = linted.stdout.trim().split('\n');
    expect(messages).toEqual([expect.stringContaining('WARNING: missing date, using "": TH')]);
  });

  it('shows every command with its options, the environment and the exit codes', async (context) => {
    if (!(await isInstalled('mandoc'))) return context.skip('mandoc is not installed.');
    const { stdout } = await run('mandoc', ['-T', 'utf8', page()]);
    // Bold and underlined letters are printed twice.
    const text = stdout.split('\b').reduce((all, rest) => all.slice(0, -1) + rest);
    for (const name of COMMANDS.filter((each) => each !== 'help')) expect(text).toContain(`zephyr ${name}`);
    for (const part of ['-f, --format FORMAT', 'ZEPHYR_API_KEY', 'EXIT STATUS', '130'])
      expect(text).toContain(part);
  });
});
