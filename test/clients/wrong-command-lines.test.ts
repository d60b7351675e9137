import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/support/until.js';
import { quoteArgument } from '../support/started-program.js';
import { getProgramPath, InstalledCommandLine } from './support/installed-command-line.js';

let commandLine: InstalledCommandLine;

beforeAll(async () => {
  // Nobody listens there: what is wrong is found before any request.
  commandLine = await InstalledCommandLine.create({ ZEPHYR_URL: 'http://127.0.0.1:9' });
  await mkdir(join(commandLine.home, 'folder'));
  for (const name of ['a.wav', 'b.wav', 'file']) await writeFile(join(commandLine.home, name), 'x');
});
afterAll(() => commandLine?.remove());

const WRONG: [string[], string][] = [
  [['transcrieb', 'a.wav'], 'transcrieb is no command. Did you mean transcribe?\nRun: zephyr --help'],
  [['help', 'nothing'], 'nothing is no command.\n'],
  [
    ['transcribe'],
    'Name at least one file, folder, pattern or address, or -.\nRun: zephyr transcribe --help',
  ],
  [['transcribe', 'a.wav', '--formt', 'srt'], '--formt is no option of this command. Did you mean --format?'],
  [['transcribe', 'a.wav', '--key', 'x'], '--key is no option of this command.\n'],
  [['transcribe', 'a.wav', '-f'], "Option '-f, --format <value>' argument missing."],
  [['transcribe', 'a.wav', '-f', 'mp3'], '--format mp3: must be one of json, txt, srt, vtt, docx, pdf.'],
  [['transcribe', 'a.wav', '-c', '65'], '--concurrency 65: must be a number from 1 to 64.'],
  [
    ['transcribe', 'a.wav', '--speakers', '-1'],
    '--speakers needs a value. Write one that begins with a dash as --speakers=-VALUE.\n',
  ],
  [
    ['transcribe', 'a.wav', '-o', '-x'],
    '-o needs a value. Write one that begins with a dash as -o-VALUE or --output=-VALUE.\n',
  ],
  [['transcribe', 'a.wav', '--metadata', 'x'], '--metadata x: write KEY=VALUE.'],
  [['transcribe', 'http://'], 'http:// is no complete address.'],
  [['transcribe', 'ftp://host/a.wav'], 'ftp://host/a.wav: the service fetches http and https URLs only.'],
  [['transcribe', 'a.wav', '--json'], '--json prints about files, so it needs -o'],
  [['transcribe', 'a.wav', 'b.wav', '-o', '-'], '-o - takes one file'],
  [
    ['transcribe', 'a.wav', 'b.wav', '-o', 'file'],
    '-o file looks like a file, and several transcripts need a',
  ],
  [['transcribe', 'a.wav', 'b.wav', '-o', 'x.txt'], 'several transcripts need a folder: x.txt/'],
  [['transcribe', 'a.wav', '--server', 'host'], 'must be an http or https URL, not host.'],
  [['watch'], 'Name one folder to watch.'],
  [['watch', 'folder'], 'Name the folder for the transcripts: --out DIR.'],
  [['watch', 'folder', '--out', 'x', '--interval', '0'], '--interval 0: must be a number from 1 to 3600.'],
  [['jobs'], 'Say what to do: jobs list, jobs get JOB_ID'],
  [['jobs', 'show'], 'not jobs show.'],
  [['jobs', 'get'], 'jobs get needs the id of a job.'],
  [['jobs', 'list', '--status', 'done'], '--status done: must be one of processing, completed, failed.'],
  [['transcript'], 'Name one job.'],
  [['login', 'key'], 'login takes no arguments.'],
  [['logout', 'key'], 'logout takes no arguments.'],
  [['listen'], 'Say where the webhooks go: --forward URL.'],
  [['listen', '--forward', 'localhost:80'], '--forward localhost:80: must be an http or https URL.'],
  [['eval', 'a.wav'], 'Name the folder for the transcripts: --transcripts DIR.'],
  [['doctor', 'x'], 'doctor takes no arguments.'],
  [['completion', 'powershell'], 'Name a shell, bash, zsh or fish, or man.'],
];

describe('zephyr, when the command line is wrong', () => {
  it.each(WRONG)('ends with 2 and says on stderr what is wrong with %j', async (parameters, message) => {
    const { code, stdout, stderr } = await commandLine.run(parameters);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^zephyr: /);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^Run: zephyr (\w+ )?--help$/);
  });

  it('ends with 1 for a file, a folder and a reference that do not exist', async () => {
    for (const [parameters, message] of [
      [['transcribe', 'absent.wav'], 'zephyr: absent.wav does not exist.\n'],
      [['watch', 'absent', '--out', 'x'], 'zephyr: absent is not a folder.\n'],
      [['eval', 'a.wav', '--transcripts', 'x'], 'zephyr: a.wav has no reference: a.txt does not exist.\n'],
    ] as const)
      expect(await commandLine.run(parameters)).toEqual({ code: 1, stdout: '', stderr: message });
  });

  it('ends with 4 for each command that needs a key, when there is none', async () => {
    for (const parameters of [
      ['transcribe', 'a.wav'],
      ['watch', 'folder', '--out', 'x'],
      ['jobs', 'list'],
      ['transcript', 'id'],
      ['listen', '--forward', 'http://127.0.0.1:9/'],
    ]) {
      const { code, stdout, stderr } = await commandLine.run(parameters);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toBe(
        'zephyr: There is no API key for http://127.0.0.1:9. Run: zephyr login, or set ZEPHYR_API_KEY.\n',
      );
    }
  });

  it('says that it tries again when the service does not respond', async () => {
    const { child, output, ended } = commandLine.start(['transcribe', 'a.wav'], { ZEPHYR_API_KEY: 'none' });
    const message = 'No response from http://127.0.0.1:9, trying again.\n';
    await until('it says so', () => output().includes(message));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });

  it('says whether it has removed a key', async () => {
    const folder = join(commandLine.home, '.config', 'zephyr');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.json'), '{}');
    const removed = `Removed ${join(folder, 'config.json')}.\n`;
    expect(await commandLine.run(['logout'])).toEqual({ code: 0, stdout: '', stderr: removed });
    expect(await commandLine.run(['logout'])).toMatchObject({ code: 0, stderr: 'No key is stored.\n' });
  });

  it('keeps the key of another service than the one that is named', async () => {
    const folder = join(commandLine.home, '.config', 'zephyr');
    await mkdir(folder, { recursive: true });
    const config = { server: 'https://speech.example', api_key: 'key' };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    expect(await commandLine.run(['logout'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `zephyr: ${join(folder, 'config.json')} has the key for https://speech.example. Remove it with: zephyr logout --server https://speech.example\n`,
    });
    expect(await commandLine.run(['logout', '--server', config.server])).toMatchObject({ code: 0 });
  });

  it('ends with 1 and says so when its output cannot be written', async (context) => {
    context.skip(!existsSync('/dev/full'), 'There is no /dev/full.');
    const command = `${quoteArgument(getProgramPath())} --help > /dev/full`;
    const shell = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(shell.stderr).toMatch(/^zephyr: standard output could not be written: .*ENOSPC/);
    expect(shell.status).toBe(1);
  });
});
