import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TranscriptionServer } from '../console/support/transcription-server.js';
import { ConsoleUsers } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { makeRecording } from './support/recordings.js';

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

let engine: TranscriptionServer;
let service: Service;
let home: string;
let talk: string;
let running: ChildProcess[] = [];

beforeAll(async () => {
  engine = await TranscriptionServer.start();
  service = await Service.start({ ENGINE: 'openai', OPENAI_BASE_URL: engine.baseUrl });
  home = await mkdtemp(join(tmpdir(), 'zephyr-cli-'));
  talk = join(home, 'talk.wav');
  await writeFile(talk, await makeRecording());
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service?.stop();
  await engine?.stop();
  await rm(home, { recursive: true, force: true });
});

const program = () => join(inject('installedPackages'), 'node_modules', '.bin', 'zephyr');
const environment = (env: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: home,
  ZEPHYR_URL: service.baseUrl,
  ...env,
});

function zephyr(
  parameters: string[],
  { input = '', env = {} }: { input?: string | Buffer; env?: Record<string, string> } = {},
) {
  return new Promise<Result>((resolve) => {
    const options = { env: environment(env), cwd: home, timeout: 100_000 };
    const child = execFile(program(), parameters, options, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        stdout,
        stderr,
      }),
    );
    child.stdin?.end(input);
  });
}

const withKey = async () => ({ env: { ZEPHYR_API_KEY: await service.apiKey() } });

/** Starts a command that runs until it is interrupted. */
async function start(...parameters: string[]): Promise<{ child: ChildProcess; output: () => string }> {
  const { env } = await withKey();
  const child = spawn(program(), parameters, {
    env: environment(env),
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

/** Runs a command at a terminal of its own. */
function startAtTerminal(...parameters: string[]): { child: ChildProcess; output: () => string } {
  const command = [program(), ...parameters].join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: environment(),
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function interrupt(child: ChildProcess): Promise<number> {
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  running = running.filter((each) => each !== child);
  return code;
}

describe('zephyr', () => {
  it.each([
    ['no command', [], 2],
    ['an unknown command', ['transcrieb'], 2],
    ['an unknown option', ['transcribe', '--key', 'x', 'talk.wav'], 2],
    ['a wrong format', ['transcribe', 'talk.wav', '-f', 'mp3'], 2],
    ['a missing file', ['transcribe', 'absent.wav'], 1],
    ['no key', ['jobs', 'list'], 4],
    ['help', ['transcribe', '--help'], 0],
  ])('ends with the right code for %s, and explains on stderr', async (_, parameters, code) => {
    const result = await zephyr(parameters);
    expect(result.code).toBe(code);
    expect(result.stderr === '').toBe(code === 0);
    expect(result.stdout === '').toBe(code !== 0);
  });

  it('stores a key that it has checked where only the user can read it', async () => {
    const config = join(home, '.config', 'zephyr', 'config.json');
    const refused = await zephyr(['login'], { input: 'wrong\n' });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    await expect(stat(config)).rejects.toThrow('ENOENT');
    const apiKey = await service.apiKey();
    expect(await zephyr(['login'], { input: `${apiKey}\n` })).toMatchObject({ code: 0, stdout: '' });
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    const found = await zephyr(['doctor', '--json']);
    expect(found.code).toBe(0);
    expect(found.stdout).not.toContain(apiKey);
    expect(await zephyr(['logout'])).toMatchObject({ code: 0 });
    expect(await zephyr(['doctor'])).toMatchObject({ code: 4 });
  });

  it('gets a key through the console, which an owner approves by the code that is shown', async () => {
    const { account_id: accountId } = await service.openAccount(0);
    const owner = await new ConsoleUsers(service, accountId).createWithPassword('owner@cli.example.org');
    const { child, output } = startAtTerminal('login');
    const exit = once(child, 'exit');
    const user_code = await until('the code is shown', () => /code +([B-Z-]{9})/.exec(output())?.[1]);
    expect(output()).toContain(`Open ${service.baseUrl}/console/command-line in a browser`);
    const approval = { user_code, name: 'for the test' };
    expect((await owner.request('POST', 'command-line/approve', approval)).status).toBe(204);
    expect(await exit).toEqual([0, null]);
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
      const { child, output } = startAtTerminal(...parameters);
      const exit = once(child, 'exit');
      await until('it waits', () => output().includes(shown));
      child.stdin?.write('\u0003');
      expect(await exit).toEqual([130, null]);
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
    const lines = second.stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { skipped: boolean }).skipped)).toEqual([true, true]);
  });

  it('refuses two transcripts with one name before it sends anything', async () => {
    const folder = join(home, 'twins');
    await mkdir(folder);
    for (const name of ['a.wav', 'a.mp3']) await writeFile(join(folder, name), 'x');
    const result = await zephyr(['transcribe', `${folder}/*.{wav,mp3}`], await withKey());
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('would both be');
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
    expect(await zephyr(['jobs', 'get', 'x'], options)).toMatchObject({ code: 1, stdout: '' });
  });

  it('measures the word error rate against references', async () => {
    const folder = join(home, 'references');
    await mkdir(folder);
    await writeFile(join(folder, 'talk.txt'), 'good MORNING, a schedule');
    const parameters = [
      'eval',
      talk,
      '--references',
      folder,
      '--transcripts',
      join(home, 'measured'),
      '--json',
    ];
    const { code, stdout } = await zephyr(parameters, await withKey());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ words: 4, substitutions: 1, deletions: 0 });
  });

  it('forwards signed webhooks about jobs that end, until it is interrupted', async () => {
    const receiver = await WebhookReceiver.start();
    const { child, output } = await start('listen', '--forward', `${receiver.url}/hook`);
    await until('it listens', () => output().includes('Signing secret: '));
    await zephyr(['transcribe', 'talk.wav', '--metadata', 'customer=4711'], await withKey());
    const webhook = await until('the webhook arrives', () => receiver.received[0]);
    const { Zephyr } = (await import(
      join(inject('installedPackages'), 'node_modules/zephyr-client/dist/index.js')
    )) as {
      Zephyr: new (options: object) => { webhooks: { unwrap(...parameters: unknown[]): Promise<unknown> } };
    };
    const { webhooks } = new Zephyr({ baseUrl: service.baseUrl, apiKey: 'none' });
    const secret = /Signing secret: (\S+)/.exec(output())?.[1];
    const timed = { requireTimestamp: true };
    expect(await webhooks.unwrap(webhook.body, webhook.headers, secret, timed)).toMatchObject({
      event: 'completed',
      notification: { status: 'completed', metadata: { customer: '4711' } },
    });
    expect(await interrupt(child)).toBe(130);
    await receiver.close();
  });

  it('transcribes what arrives in a watched folder, and ends with 130 when it is interrupted', async () => {
    const [folder, out] = [join(home, 'inbox'), join(home, 'transcripts')];
    await mkdir(folder);
    const { child, output } = await start('watch', folder, '--out', out, '--interval', '1');
    await until('it watches', () => output().includes('Watching'));
    await writeFile(join(folder, 'new.wav'), await readFile(talk));
    await until('the transcript is there', () => stat(join(out, 'new.txt')), 60_000);
    expect(await interrupt(child)).toBe(130);
  });

  it('has completions that bash accepts, and a manual page', async () => {
    const { stdout: script } = await zephyr(['completion', 'bash']);
    const complete = `${script}\nCOMP_WORDS=(zephyr tr); COMP_CWORD=1; _zephyr; echo "\${COMPREPLY[*]}"`;
    const completed = await new Promise((resolve) =>
      execFile('bash', ['-c', complete], (_, stdout) => resolve(stdout.trim())),
    );
    expect(completed).toBe('transcribe transcript');
    const pagePath = join(inject('installedPackages'), 'node_modules/zephyr-cli/man/zephyr.1');
    const page = await readFile(pagePath, 'utf8');
    expect(page).toContain('.SS zephyr transcribe');
  });
});
