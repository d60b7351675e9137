import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TranscriptionServer } from '../e2e/support/transcription-server.js';
import { ConsoleUsers } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { findJsonLines, parseJsonLines } from '../support/json-lines.js';
import { CTRL_C, type StartedProgram } from '../support/started-program.js';
import { InstalledCommandLine } from './support/installed-command-line.js';
import { makeRecording } from './support/recordings.js';

let engine: TranscriptionServer;
let service: Service;
let commandLine: InstalledCommandLine;
let home: string;
let talk: string;

beforeAll(async () => {
  engine = await TranscriptionServer.start();
  service = await Service.start({ ENGINE: 'openai', OPENAI_BASE_URL: engine.baseUrl });
  commandLine = await InstalledCommandLine.create({ ZEPHYR_URL: service.baseUrl });
  home = commandLine.home;
  talk = join(home, 'talk.wav');
  await writeFile(talk, await makeRecording());
});
afterAll(async () => {
  await commandLine?.remove();
  await service?.stop();
  await engine?.stop();
});

const zephyr: InstalledCommandLine['run'] = (...parameters) => commandLine.run(...parameters);
const withKey = async () => ({ env: { ZEPHYR_API_KEY: await service.apiKey() } });

/** Starts a command that runs until it is interrupted. */
const start = async (...parameters: string[]) => commandLine.start(parameters, (await withKey()).env);

/** What the engine of the tests recognises in the recording, without time and speaker. */
async function spokenWords(): Promise<string> {
  const { stdout } = await zephyr(['transcribe', 'talk.wav', '--no-speakers'], await withKey());
  return stdout;
}

async function interrupt({ child, ended }: StartedProgram): Promise<number> {
  child.kill('SIGINT');
  return ended;
}

describe('zephyr', () => {
  it('explains itself and each command on stdout, and shows that without a command on stderr', async () => {
    const general = await zephyr(['--help']);
    expect(general).toMatchObject({ code: 0, stderr: '' });
    expect(await zephyr([])).toEqual({ code: 2, stdout: '', stderr: general.stdout });
    const names = [...general.stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => String(name));
    expect(names).toHaveLength(10);
    for (const name of names) {
      const { code, stdout, stderr } = await zephyr([name, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^zephyr ${name}`));
      expect(await zephyr(['help', name])).toMatchObject({ code: 0, stdout });
    }
  });

  it('stores a key that it has checked where only the user can read it', async () => {
    const config = join(home, '.config', 'zephyr', 'config.json');
    const refused = await zephyr(['login'], { input: 'wrong\n' });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    await expect(stat(config)).rejects.toThrow('ENOENT');
    const apiKey = await service.apiKey();
    expect(await zephyr(['login'], { input: `${apiKey}\n` })).toMatchObject({ code: 0, stdout: '' });
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(config))).mode & 0o777).toBe(0o700);
    const found = await zephyr(['doctor', '--json']);
    expect(found.code).toBe(0);
    expect(found.stdout).not.toContain(apiKey);
    expect(await zephyr(['logout'])).toMatchObject({ code: 0 });
    expect(await zephyr(['doctor'])).toMatchObject({ code: 4 });
  });

  it('gets a key through the console, which an owner approves by the code that is shown', async () => {
    const { account_id: accountId } = await service.openAccount(0);
    const owner = await new ConsoleUsers(service, accountId).createWithPassword('owner@cli.example.org');
    const { output, ended } = commandLine.startAtTerminal(['login']);
    const user_code = await until('the code is shown', () => /code +([B-Z-]{9})/.exec(output())?.[1]);
    expect(output()).toContain(`Open ${service.baseUrl}/console/command-line in a browser`);
    const approval = { user_code, name: 'for the test' };
    expect((await owner.request('POST', 'command-line/approve', approval)).status).toBe(204);
    expect(await ended).toBe(0);
    expect(output()).toContain('with the key for the test. Stored in');
    expect((await stat(join(home, '.config', 'zephyr', 'config.json'))).mode & 0o777).toBe(0o600);
    expect(await zephyr(['jobs', 'list'])).toMatchObject({ code: 0, stderr: 'There are no such jobs.\n' });
    await zephyr(['logout']);
  });

  it('ends with 130 at the first Ctrl-C while it asks for a key, and while it waits for an approval', async () => {
    for (const [parameters, shown] of [
      [['login', '--key'], 'API key: '],
      [['login'], 'Waiting until'],
    ] as const) {
      const { child, output, ended } = commandLine.startAtTerminal(parameters);
      await until('it waits', () => output().includes(shown));
      child.stdin.write(CTRL_C);
      expect(await ended).toBe(130);
    }
  });

  it('prints a transcript on stdout and nothing else, from a file and from standard input', async () => {
    const options = await withKey();
    const fromFile = await zephyr(['transcribe', 'talk.wav'], options);
    expect(fromFile).toMatchObject({ code: 0, stdout: expect.stringContaining('Good morning') as string });
    expect(fromFile.stderr).toContain('done');
    const fromInput = await zephyr(['transcribe', '-'], { ...options, input: await readFile(talk) });
    expect(fromInput.stdout).toBe(fromFile.stdout);
  });

  it('transcribes a folder into another one, reports failures, and skips what exists', async () => {
    const [folder, out] = [join(home, 'talks'), join(home, 'out')];
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'a.wav'), await readFile(talk));
    await writeFile(join(folder, 'sub', 'b c.wav'), await readFile(talk));
    await writeFile(join(folder, 'notes.md'), 'no audio');
    await writeFile(join(folder, 'broken.mp3'), 'no audio either, of some length');
    const parameters = ['transcribe', folder, '-o', out, '-f', 'srt', '--json'];
    const first = await zephyr(parameters, await withKey());
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('broken.mp3: Job');
    expect((await readdir(out, { recursive: true })).toSorted()).toEqual(['a.srt', 'sub', 'sub/b c.srt']);
    await rm(join(folder, 'broken.mp3'));
    const second = await zephyr(parameters, await withKey());
    expect(second.code).toBe(0);
    expect(parseJsonLines(second.stdout).map(({ skipped }) => skipped)).toEqual([true, true]);
  });

  it('lists, shows, cancels and deletes jobs, and prints a transcript in another format', async () => {
    const options = await withKey();
    const listed = await zephyr(['jobs', 'list', '--status', 'completed', '-n', '1', '--json'], options);
    const { job_id: id } = JSON.parse(listed.stdout) as { job_id: string };
    expect((await zephyr(['jobs', 'get', id], options)).stdout).toContain('status: completed');
    expect((await zephyr(['jobs', 'cancel', id], options)).stdout).toBe(`${id} completed\n`);
    expect((await zephyr(['transcript', id, '-f', 'vtt'], options)).stdout).toMatch(/^WEBVTT/);
    expect((await zephyr(['jobs', 'delete', id], options)).stdout).toBe(`${id} deleted\n`);
    expect(await zephyr(['jobs', 'delete', id], options)).toMatchObject({ code: 1, stdout: '' });
  });

  it('names the job that does not exist, and goes on with the others', async () => {
    const options = await withKey();
    const made = await zephyr(['transcribe', 'talk.wav', '-o', 'named.txt', '--json'], options);
    const { job_id: id } = JSON.parse(made.stdout) as { job_id: string };
    for (const action of ['get', 'cancel', 'delete']) {
      const result = await zephyr(['jobs', action, 'x', id], options);
      expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining(id) as string });
      expect(result.stderr).toMatch(/^x: 4\d\d \w+: .+\n$/);
    }
    const { stdout } = await zephyr(['jobs', 'get', 'x', '--json'], options);
    expect(parseJsonLines(stdout)).toMatchObject([{ job_id: 'x', error: expect.any(String) as string }]);
  });

  it('measures the word error rate against references', async () => {
    const folder = join(home, 'references');
    await mkdir(folder);
    for (const name of ['exact', 'talk']) await writeFile(join(folder, `${name}.wav`), await readFile(talk));
    const parameters = ['eval', 'references', '--transcripts', 'evaluated'];
    await writeFile(join(folder, 'talk.txt'), 'good MORNING, a schedule');
    expect(await zephyr(parameters, await withKey())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'zephyr: references/exact.wav has no reference: references/exact.txt does not exist.\n',
    });
    await writeFile(join(folder, 'exact.txt'), await spokenWords());
    const shown = await zephyr(parameters, await withKey());
    expect(shown.code).toBe(0);
    const [exact, wrong, all, ...rest] = shown.stdout.split('\n');
    expect(exact).toMatch(
      /^ {3}0\.0 % {2}\d+ words, 0 wrong, 0 missing, 0 too many {2}references\/exact\.wav$/,
    );
    expect(wrong).toMatch(
      /^ *\d+\.\d % {2}4 words, 1 wrong, 0 missing, \d+ too many {2}references\/talk\.wav$/,
    );
    expect(all).toMatch(/ {2}all$/);
    expect(rest).toEqual(['']);
    const again = await zephyr([...parameters, '--json'], await withKey());
    expect(again.stderr).toContain('skipped');
    const lines = parseJsonLines(again.stdout);
    expect(lines).toMatchObject([
      { file: 'references/exact.wav', word_error_rate: 0 },
      { file: 'references/talk.wav', words: 4, substitutions: 1, deletions: 0 },
      { file: 'all', substitutions: 1 },
    ]);
    expect(lines[1]?.['word_error_rate']).toBeGreaterThanOrEqual(0.25);
    const apart = ['eval', 'talk.wav', '--references', 'references', '--transcripts', 'evaluated', '--json'];
    expect(parseJsonLines((await zephyr(apart, await withKey())).stdout)).toMatchObject([{ words: 4 }]);
  });

  it('prints a line of JSON for each item with --json, and nothing else on stdout', async () => {
    const options = await withKey();
    const json = async (...parameters: string[]) => {
      const { code, stdout } = await zephyr([...parameters, '--json'], options);
      expect(code).toBe(0);
      return parseJsonLines(stdout);
    };
    const [transcribed] = await json('transcribe', 'talk.wav', '-o', 'json.txt');
    expect(transcribed).toEqual({
      input: 'talk.wav',
      output: 'json.txt',
      job_id: expect.any(String) as string,
      duration_seconds: expect.any(Number) as number,
    });
    const id = (transcribed as { job_id: string }).job_id;
    expect(await json('jobs', 'list', '-n', '1')).toMatchObject([{ job_id: id, status: 'completed' }]);
    expect(await json('jobs', 'get', id)).toMatchObject([{ job_id: id, output_type: 'txt' }]);
    expect(await json('jobs', 'cancel', id)).toEqual([{ job_id: id, status: 'completed' }]);
    expect(await json('jobs', 'delete', id)).toEqual([{ job_id: id, status: 'deleted' }]);
    expect(await json('doctor')).toMatchObject(
      ['settings', 'service', 'clock', 'key'].map((check) => ({ check, ok: true })),
    );
  });

  it('forwards signed webhooks about jobs that end, until it is interrupted', async () => {
    const receiver = await WebhookReceiver.start();
    const listening = await start('listen', '--forward', `${receiver.url}/hook`, '--json');
    await until('it listens', () => listening.output().includes('Signing secret: '));
    await zephyr(['transcribe', 'talk.wav', '--metadata', 'customer=4711'], await withKey());
    const webhook = await until('the webhook arrives', () => receiver.received[0]);
    const { Zephyr } = (await import(
      join(inject('installedPackages'), 'node_modules/zephyr-client/dist/index.js')
    )) as {
      Zephyr: new (options: object) => { webhooks: { unwrap(...parameters: unknown[]): Promise<unknown> } };
    };
    const { webhooks } = new Zephyr({ baseUrl: service.baseUrl, apiKey: 'none' });
    const secret = /Signing secret: (\S+)/.exec(listening.output())?.[1];
    const timed = { requireTimestamp: true };
    expect(await webhooks.unwrap(webhook.body, webhook.headers, secret, timed)).toMatchObject({
      event: 'completed',
      notification: { status: 'completed', metadata: { customer: '4711' } },
    });
    await until('the webhook is reported', () => listening.output().includes('"result":'));
    expect(findJsonLines(listening.output())[0]).toMatchObject({ event: 'completed', result: 200 });
    expect(await interrupt(listening)).toBe(130);
    await receiver.close();
  });

  it('transcribes what arrives in a watched folder, and ends with 130 when it is interrupted', async () => {
    const [folder, out] = [join(home, 'inbox'), join(home, 'transcripts')];
    await mkdir(folder);
    const watching = await start('watch', folder, '--out', out, '--interval', '1', '--json');
    await until('it watches', () => watching.output().includes('Watching'));
    await writeFile(join(folder, 'new.wav'), await readFile(talk));
    await until('the transcript is there', () => stat(join(out, 'new.txt')), 60_000);
    await until('the file is reported', () => watching.output().includes('"job_id"'));
    expect(findJsonLines(watching.output())[0]).toMatchObject({
      input: join(folder, 'new.wav'),
      output: join(out, 'new.txt'),
    });
    expect(await interrupt(watching)).toBe(130);
  });
});
