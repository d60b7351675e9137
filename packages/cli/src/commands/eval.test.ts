import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { evaluateTranscriptsCommand } from './eval.js';

let context: InProcessCommandLine;
let folder: string;

beforeEach(async () => {
  context = await InProcessCommandLine.create({ commands: [evaluateTranscriptsCommand] });
  folder = context.home;
  await mkdir(join(folder, 'transcripts'));
  await writeFile(join(folder, 'talk.wav'), 'audio');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const evaluate = (...parameters: string[]) =>
  context.run([
    'eval',
    join(folder, 'talk.wav'),
    '--transcripts',
    join(folder, 'transcripts'),
    ...parameters,
  ]);

describe('zephyr eval', () => {
  it('counts no times and labels of speakers as words, in transcripts and references', async () => {
    await writeFile(join(folder, 'talk.txt'), 'SPEAKER_1: He was not an ill young man.\n');
    const transcript = '[00:00:00] SPEAKER_1: He was not\n\n[00:00:02] an illness young man.\n';
    await writeFile(join(folder, 'transcripts', 'talk.txt'), transcript);
    const { code, stdout } = await evaluate();
    expect(code).toBe(0);
    expect(stdout).toContain('14.3 %  7 words, 1 wrong, 0 missing, 0 too many');
  });

  it('compares each of two files of one name with its own transcript', async () => {
    await writeFile(join(folder, 'talk.mp3'), 'audio');
    await writeFile(join(folder, 'talk.txt'), 'Good morning.\n');
    await writeFile(join(folder, 'transcripts', 'talk.txt'), 'Good morning.\n');
    await writeFile(join(folder, 'transcripts', 'talk.mp3.txt'), 'Good evening.\n');
    const { code, stdout } = await evaluate(join(folder, 'talk.mp3'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/ 0\.0 % .*talk\.wav\n.* 50\.0 % .*talk\.mp3\n/);
  });

  it.skipIf(process.platform === 'win32')('finds the reference of a name with a backslash', async () => {
    const input = join(folder, 'AC\\DC.wav');
    await writeFile(input, 'audio');
    await writeFile(join(folder, 'AC\\DC.txt'), 'Yes.\n');
    await writeFile(join(folder, 'transcripts', 'AC\\DC.txt'), 'Yes.\n');
    const { code, stdout } = await context.run(['eval', input, '--transcripts', join(folder, 'transcripts')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(' 0.0 %') as string });
  });

  it('refuses a reference without words', async () => {
    await writeFile(join(folder, 'talk.txt'), '\n');
    await writeFile(join(folder, 'transcripts', 'talk.txt'), 'Yes.\n');
    expect(await evaluate()).toEqual({
      code: 1,
      stdout: '',
      stderr: `zephyr: ${join(folder, 'talk.txt')} has no words to compare with.\n`,
    });
  });

  it('refuses what is no text, and names every reference that cannot be used', async () => {
    for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.wav`), 'audio');
    await writeFile(join(folder, 'talk.txt'), Buffer.from([0xff, 0xfe, 0x00, 0x62, 0x80]));
    const { code, stderr } = await evaluate(join(folder, 'a.wav'), join(folder, 'b.wav'));
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, 'talk.txt')} is no text in UTF-8.`);
    for (const name of ['a', 'b']) expect(stderr).toContain(`${join(folder, `${name}.txt`)} does not exist.`);
  });

  it.each(['--speakers', '--min-speakers', '--max-speakers', '--no-speakers'])(
    'has no option %s, as it tells no speakers apart',
    async (option) => {
      expect(await evaluate(option, '1')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${option} is no option of this command.`) as string,
      });
    },
  );
});
