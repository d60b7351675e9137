import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProblemResponse, FakeJobs } from '../testing/fake-jobs.js';
import { InProcessCommandLine } from '../testing/in-process-command-line.js';
import { transcribeCommand } from './transcribe.js';

let service: FakeJobs;
let context: InProcessCommandLine;
let talk: string;
let output: string;

beforeEach(async () => {
  service = new FakeJobs();
  context = await InProcessCommandLine.create({ commands: [transcribeCommand], fetch: service.fetch });
  talk = join(context.home, 'talk.wav');
  output = join(context.home, 'talk.txt');
  await writeFile(talk, 'audio');
});
afterEach(() => rm(context.home, { recursive: true, force: true }));

const transcribe = (...parameters: string[]) => context.run(['transcribe', talk, ...parameters]);
const listStates = () => readdir(join(context.home, '.local', 'state', 'zephyr', 'uploads'));

describe('zephyr transcribe, run again', () => {
  /** Leaves the state of a job that is queued, and whose transcript has not arrived. */
  async function interruptWhileItWaits(): Promise<void> {
    service.intercept = (line) =>
      line.endsWith('/stream') ? createProblemResponse(500, 'internal_error') : undefined;
    expect(await transcribe('-o', output)).toMatchObject({ code: 1 });
    expect(await listStates()).toHaveLength(1);
    service.intercept = () => undefined;
  }

  it('goes on with the job that exists', async () => {
    await interruptWhileItWaits();
    expect(await transcribe('-o', output)).toMatchObject({ code: 0 });
    expect(service.created).toBe(1);
    expect(await listStates()).toEqual([]);
  });

  it('begins anew when the job was deleted, or the key is that of another account', async () => {
    await interruptWhileItWaits();
    service.deleteJobs();
    expect(await transcribe('-o', output)).toMatchObject({ code: 0 });
    expect(service.created).toBe(2);
    expect(await readFile(output, 'utf8')).toBe('Good morning.\n');
    expect(await listStates()).toEqual([]);
  });

  it('says that another format makes another job, once', async () => {
    await interruptWhileItWaits();
    const other = ['-o', join(context.home, 'talk.srt'), '-f', 'srt', '--overwrite'];
    const { code, stderr } = await transcribe(...other);
    expect(code).toBe(0);
    expect(stderr).toContain('left the job job-1. This makes another one; zephyr jobs delete job-1');
    expect(service.created).toBe(2);
    expect(await listStates()).toEqual([]);
    expect((await transcribe(...other)).stderr).not.toContain('left the job');
  });

  it('has nothing to go on with when the create was refused', async () => {
    service.intercept = () => createProblemResponse(422, 'validation_failed');
    expect(await transcribe('-o', output)).toMatchObject({ code: 1 });
    expect(await listStates()).toEqual([]);
  });

  it('keeps the name of a create whose response was lost', async () => {
    service.intercept = () => createProblemResponse(502, 'unknown');
    expect(await transcribe('-o', output)).toMatchObject({ code: 1 });
    expect(await listStates()).toHaveLength(1);
  });
});

describe('zephyr transcribe, where no state can be stored', () => {
  it('transcribes all the same, and says once that nothing can be continued', async () => {
    await writeFile(join(context.home, '.local'), 'no folder');
    const several = ['transcribe', talk, `${talk}.mp3`, '-o', `${context.home}/out/`];
    await writeFile(`${talk}.mp3`, 'audio');
    const { code, stderr } = await context.run(several);
    expect(code).toBe(0);
    expect(stderr.match(/^An upload that is interrupted cannot be continued: ENOTDIR.*$/gm)).toHaveLength(1);
    const again = await context.run([...several, '--overwrite', '--quiet']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(service.created).toBe(4);
  });

  it('still refuses a file that is empty', async () => {
    await writeFile(join(context.home, '.local'), 'no folder');
    await writeFile(talk, '');
    expect(await transcribe()).toMatchObject({ code: 1, stderr: `${talk}: The file is empty.\n` });
  });
});

describe('zephyr transcribe, where the transcript cannot be written', () => {
  it('names the folder, and makes no job', async () => {
    const { code, stderr } = await transcribe('-o', join(talk, 'deep', 'talk.txt'));
    expect(code).toBe(1);
    expect(stderr).toContain(`${talk} is no folder that can be written to`);
    expect(service.created).toBe(0);
  });

  it.each([
    ['the name of its transcript', `${'a'.repeat(251)}.wav`, ''],
    ['the name of its transcript in a new folder', `${'a'.repeat(251)}.wav`, 'new/folder/'],
    ['the name of a new folder', 'a.wav', `new/${'b'.repeat(256)}/`],
  ])('names a file if %s is too long, and makes no job', async (_, name, folder) => {
    const recording = join(context.home, name);
    await writeFile(recording, 'audio');
    const parameters = ['transcribe', recording, '-f', 'json', '-o', `${context.home}/${folder}`];
    expect(await context.run(parameters)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.json: the name is too long. Choose another one with -o.') as string,
    });
    expect(service.created).toBe(0);
  });

  it('names the file, and says that the job need not be made again', async () => {
    await mkdir(output);
    const { code, stderr } = await context.run([
      'transcribe',
      talk,
      talk.replace('talk', '*'),
      '-o',
      `${context.home}/`,
      '--overwrite',
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${output} could not be written: EISDIR`);
    expect(stderr).toContain('The job job-1 exists: run the same command again to write its transcript.');
    expect(await listStates()).toHaveLength(1);
    await rm(output, { recursive: true });
    expect(await transcribe('-o', `${context.home}/`)).toMatchObject({ code: 0 });
    expect(service.created).toBe(1);
  });
});

describe('zephyr transcribe, of a file whose name has control characters', () => {
  it.skipIf(process.platform === 'win32')('prints none of them', async () => {
    const odd = join(context.home, 'red\u001b[31m\nblue.wav');
    await writeFile(odd, 'audio');
    const { code, stderr } = await context.run(['transcribe', odd, '-o', output]);
    expect(code).toBe(0);
    expect(stderr).toContain('red\uFFFD[31m\uFFFDblue.wav: done');
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('the metadata `file` of a job', () => {
  it.skipIf(process.platform === 'win32')(
    'has no control characters, no characters that change the direction of text, and whole characters',
    async () => {
      const names: unknown[] = [];
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const request = new Request(input, init);
        if (request.url.endsWith('/api/v1/upload'))
          names.push(((await request.clone().json()) as { metadata: { file: string } }).metadata.file);
        return service.fetch(request);
      };
      const commandLine = await InProcessCommandLine.create({ commands: [transcribeCommand], fetch });
      const address = `http://host.example/${encodeURIComponent('🎙'.repeat(201))}`;
      const odd = join(context.home, 'a\u202Eb\u2066c\u0007d.wav');
      await writeFile(odd, 'audio');
      for (const input of [odd, address])
        expect(await commandLine.run(['transcribe', input])).toMatchObject({ code: 0 });
      await rm(commandLine.home, { recursive: true, force: true });
      expect(names).toEqual(['abcd.wav', '🎙'.repeat(200)]);
    },
  );
});

describe('zephyr transcribe -', () => {
  it('says that standard input is empty, and makes no job', async () => {
    const { code, stderr } = await context.run(['transcribe', '-']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '-: Standard input is empty.\n' });
    expect(service.requests).toEqual([]);
  });
});

describe('zephyr transcribe - with a transcript of an earlier input', () => {
  const audio = new TextEncoder().encode('audio');
  it('fails before it reads standard input, transcribes the others, and says how to replace it', async () => {
    let isRead = false;
    const stdin = (async function* () {
      isRead = true;
      yield await Promise.resolve(audio);
    })();
    const commandLine = await InProcessCommandLine.create({
      commands: [transcribeCommand],
      fetch: service.fetch,
      stdin,
    });
    const out = join(context.home, 'out');
    const earlier = join(out, 'stdin.txt');
    await mkdir(out);
    await writeFile(earlier, 'Earlier.\n');
    const several = ['transcribe', '-', talk, '-o', `${out}/`, '--json'];
    const { code, stdout, stderr } = await commandLine.run(several);
    expect({ code, isRead, created: service.created }).toEqual({ code: 1, isRead: false, created: 1 });
    const message = `${earlier} exists. Name another file with -o, or replace it with --overwrite.`;
    expect(stderr).toContain(`-: ${message}\n`);
    expect(stdout).toContain(JSON.stringify({ input: '-', error: message }));
    expect(await readFile(earlier, 'utf8')).toBe('Earlier.\n');
    expect(await commandLine.run(['transcribe', '-', '-o', earlier])).toMatchObject({ code: 1 });
    expect(isRead).toBe(false);
    expect(await commandLine.run(['transcribe', '-', '-o', earlier, '--overwrite'])).toMatchObject({
      code: 0,
    });
    expect(await readFile(earlier, 'utf8')).toBe('Good morning.\n');
    await rm(commandLine.home, { recursive: true, force: true });
  });
});

describe('zephyr transcribe, of several paths', () => {
  it('names a second transcript of the same name in full, and skips both when it is run again', async () => {
    await writeFile(join(context.home, 'talk.mp3'), 'audio');
    const pattern = ['transcribe', join(context.home, 'talk.{wav,mp3}'), '--json'];
    expect((await context.run(pattern)).code).toBe(0);
    expect(await readdir(context.home)).toEqual(expect.arrayContaining(['talk.txt', 'talk.wav.txt']));
    const again = await context.run(pattern);
    expect(again.stdout.match(/"skipped":true/g)).toHaveLength(2);
    expect(service.created).toBe(2);
  });

  it('leaves out what has the same full name, says so, and ends with 1', async () => {
    const [a, b] = ['a', 'b'].map((name) => join(context.home, name, 'talk.wav')) as [string, string];
    for (const path of [a, b]) {
      await mkdir(join(path, '..'));
      await writeFile(path, 'audio');
    }
    const { code, stderr } = await context.run(['transcribe', a, b, '-o', `${context.home}/out/`]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${b}: left out, because its transcript would be `);
    expect(stderr).toContain(`${a}: done, `);
    expect(service.created).toBe(1);
  });

  it('makes one job for a file, by whatever paths it is named, and says so once', async () => {
    const link = join(context.home, 'link.wav');
    await symlink(talk, link);
    const fromHere = relative(process.cwd(), talk);
    const { code, stderr } = await context.run(['transcribe', fromHere, talk, link, talk]);
    expect(code).toBe(0);
    expect(service.created).toBe(1);
    for (const path of [talk, link])
      expect(stderr.split(`${path}: the same file as ${fromHere}, which is transcribed once\n`)).toHaveLength(
        2,
      );
  });
});
