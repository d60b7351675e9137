import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { createDeferred } from '../support/deferred.js';
import { InstalledCommandLine } from './support/installed-command-line.js';
import type { PublicProxy } from './support/public-proxy.js';
import { makeRecording } from './support/recordings.js';
import { ServiceBehindProxy } from './support/service-behind-proxy.js';

const MIB = 2 ** 20;
const ESCAPE = '\u001B';
const CLEAR_LINE = `\r${ESCAPE}[2K`;
/** Of the terminal. */
const COLUMNS = 100;

let installation: ServiceBehindProxy;
let proxy: PublicProxy;
let service: Service;
let commandLine: InstalledCommandLine;

beforeAll(async () => {
  installation = await ServiceBehindProxy.start();
  ({ proxy, service } = installation);
  const variables = { ZEPHYR_URL: proxy.url, ZEPHYR_API_KEY: await service.apiKey() };
  commandLine = await InstalledCommandLine.create(variables);
  const folder = join(commandLine.home, 'talks');
  await mkdir(folder);
  await writeFile(join(commandLine.home, 'long.wav'), await makeRecording(34 * MIB));
  for (const name of ['a', 'b', 'c'])
    await writeFile(join(folder, `${name.repeat(30)}.wav`), await makeRecording());
});
afterAll(async () => {
  await commandLine?.remove();
  await installation?.stop();
});
beforeEach(() => void (proxy.chooseFault = () => 'none'));

/** What was drawn on a line, one drawing after the other. */
const listDrawings = (output: string) =>
  output
    .split(/\r?\n/)
    .flatMap((line) => line.split(CLEAR_LINE))
    .filter((drawing) => drawing !== '');

/** What a person sees at the end. */
const renderScreen = (output: string) =>
  output.split(/\r?\n/).map((line) => line.split(CLEAR_LINE).at(-1) ?? '');

describe('zephyr transcribe at a terminal', () => {
  it('draws a bar that grows with the parts that have arrived, and removes it before the transcript', async () => {
    const seen = createDeferred();
    proxy.chooseFault = ({ path }) => (path.includes('part=3') ? { heldUntil: seen.promise } : 'none');
    const { output, ended } = commandLine.startAtTerminal(['transcribe', 'long.wav']);
    await until('two of three parts are shown', () =>
      output().includes('long.wav uploading [###############-] 94 %'),
    );
    seen.resolve();
    expect(await ended).toBe(0);
    expect(listDrawings(output()).some((drawing) => drawing.startsWith('long.wav transcribing ['))).toBe(
      true,
    );
    const screen = renderScreen(output());
    expect(screen).toEqual([
      expect.stringMatching(/^\[00:00:00\] SPEAKER_1: Good morning/),
      'long.wav: done',
      '',
    ]);
  });

  it('draws several files on one line that fits, below a line for each that has ended', async () => {
    const seen = createDeferred();
    proxy.chooseFault = ({ method }) => (method === 'PUT' ? { heldUntil: seen.promise } : 'none');
    const { output, ended } = commandLine.startAtTerminal(['transcribe', 'talks', '-o', 'out/']);
    await until('the files are shown', () => /0\/3 {2}talks\/[abc]+\.wav uploading/.test(output()));
    seen.resolve();
    expect(await ended).toBe(0);
    for (const drawing of listDrawings(output())) expect(drawing.length).toBeLessThan(COLUMNS);
    const lines = renderScreen(output()).filter((line) => line !== '');
    expect(lines.toSorted()).toEqual(
      ['a', 'b', 'c'].map((name) => `talks/${name.repeat(30)}.wav: done, out/${name.repeat(30)}.txt`),
    );
  });

  it('draws nothing with --quiet', async () => {
    const { output, ended } = commandLine.startAtTerminal(['transcribe', 'talks', '-o', 'quiet/', '-q']);
    expect(await ended).toBe(0);
    expect(output()).toBe('');
  });
});

describe('zephyr transcribe at a terminal that is closed', () => {
  it('ends by SIGHUP after it has ended what it has begun', async () => {
    const closed = createDeferred();
    proxy.chooseFault = ({ method }) => (method === 'PUT' ? { heldUntil: closed.promise } : 'none');
    const { child, output } = commandLine.startAtClosedTerminal(['transcribe', 'long.wav'], 'exit-code');
    await until('the upload has begun', () => output().includes('long.wav uploading'));
    child.kill('SIGKILL');
    const code = await until('the command has ended', async () => {
      const text = await readFile(join(commandLine.home, 'exit-code'), 'utf8');
      return text !== '' && text;
    });
    closed.resolve();
    expect(code).toBe('129\n');
  });
});

describe('zephyr transcribe in a pipe', () => {
  it('prints a plain line for each step of a file, and none twice', async () => {
    const { code, stdout, stderr } = await commandLine.run(['transcribe', 'long.wav']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Good morning') as string });
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(stdout + stderr).not.toContain('\r');
    expect(stderr.split('\n')).toEqual([
      'long.wav: uploading',
      'long.wav: transcribing',
      'long.wav: done',
      '',
    ]);
  });
});
