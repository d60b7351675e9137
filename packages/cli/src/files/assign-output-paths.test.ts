import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assignOutputPaths } from './assign-output-paths.js';

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'zephyr-cli-outputs-'));
  folder = join(home, 'out');
  await mkdir(folder);
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function place(names: readonly string[], taken?: ReadonlyMap<string, string>) {
  const found = names.map((name) => ({ input: join(home, name), relativePath: basename(name) }));
  for (const { input } of found) {
    await mkdir(join(input, '..'), { recursive: true });
    await writeFile(input, '', { flag: 'a' });
  }
  const options = { folder, format: 'txt', ...(taken && { taken }) };
  const { placed, leftOut } = await assignOutputPaths(found, options);
  return [
    ...placed.map(({ input, output }) => `${basename(input)} > ${basename(output)}`),
    ...leftOut.map(({ input, other }) => `${input.slice(home.length)} as ${other.slice(home.length)}`),
  ];
}
async function arriveAfter(name: string, ms: number): Promise<boolean> {
  await writeFile(join(home, name), 'audio');
  return (await stat(join(home, name))).ctimeMs > ms;
}
const writeTranscript = (name: string) => writeFile(join(folder, name), 'Good morning.\n');

describe('transcripts that would have the same name', () => {
  it('are named in full, except the first', async () => {
    expect(await place(['talk.mp3', 'talk.ogg', 'talk.wav', 'other.wav'])).toEqual([
      'talk.mp3 > talk.txt',
      'talk.ogg > talk.ogg.txt',
      'talk.wav > talk.wav.txt',
      'other.wav > other.txt',
    ]);
  });

  it.skipIf(process.platform === 'win32')('keep a backslash, beside their inputs too', async () => {
    const input = join(home, 'AC\\DC.mp3');
    const found = [{ input, relativePath: 'AC\\DC.mp3' }];
    const { placed } = await assignOutputPaths(found, { folder: undefined, format: 'txt' });
    expect(placed.map(({ output }) => output)).toEqual([join(home, 'AC\\DC.txt')]);
  });

  it('stay with their inputs when one is missing', async () => {
    await writeTranscript('talk.mp3.txt');
    expect(await place(['talk.mp3', 'talk.wav'])).toEqual(['talk.mp3 > talk.mp3.txt', 'talk.wav > talk.txt']);
  });

  it('stay with the input that was there when they were written', async () => {
    await place(['talk.wav']);
    const { ctimeMs } = await stat(join(home, 'talk.wav'));
    await writeTranscript('talk.txt');
    await utimes(join(folder, 'talk.txt'), ctimeMs / 1000 + 0.001, ctimeMs / 1000 + 0.001);
    // Files have the time of the last tick of a clock.
    await expect.poll(() => arriveAfter('talk.mp3', ctimeMs + 1)).toBe(true);
    expect(await place(['talk.mp3', 'talk.wav'])).toEqual(['talk.mp3 > talk.mp3.txt', 'talk.wav > talk.txt']);
  });

  it('stay with the input that was given them before', async () => {
    const taken = new Map([[join(folder, 'talk.txt'), join(home, 'talk.wav')]]);
    const names = ['talk.mp3', 'talk.wav'];
    expect(await place(names, taken)).toEqual(['talk.mp3 > talk.mp3.txt', 'talk.wav > talk.txt']);
    expect(await place(['talk.mp3'], taken)).toEqual(['talk.mp3 > talk.mp3.txt']);
  });

  it('may not take the place of another one by their full name', async () => {
    expect(await place(['talk.mp3', 'talk.wav', 'talk.wav.mp3'])).toEqual([
      'talk.mp3 > talk.txt',
      'talk.wav > talk.wav.txt',
      'talk.wav.mp3 > talk.wav.mp3.txt',
    ]);
  });

  it('are left out if their full names are the same as well', async () => {
    expect(await place(['a/talk.wav', 'b/talk.wav'])).toEqual([
      'talk.wav > talk.txt',
      '/b/talk.wav as /a/talk.wav',
    ]);
  });
});
