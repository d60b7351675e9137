import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PROCESSING_MS = 90_000;
const SAMPLE = 'assets/sample/dialogue.mp3';
/** What shells, Python, JavaScript and curl would interpret. */
const AWKWARD_NAME = `it's "a" $(touch x) \`y\` \\ {1,2} [talk]'''.mp3`;
const TERM = `O'Hara "\\ $HOME`;

interface SampleLanguage {
  name: string;
  program: string;
  file: string;
  toSource: (code: string) => string;
}

const LANGUAGES: readonly SampleLanguage[] = [
  { name: 'curl', program: 'bash', file: 'sample.sh', toSource: (code) => code },
  { name: 'TypeScript', program: process.execPath, file: 'sample.mjs', toSource: compileTypeScript },
  { name: 'Python', program: 'python3', file: 'sample.py', toSource: (code) => code },
];

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-code-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

function compileTypeScript(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

async function openWelcomeWithKey(): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const tab = await browser.openAs(client, '/console/');
  await tab.page.getByRole('button', { name: 'Create a key' }).click();
  await tab.page.getByLabel('API key', { exact: true }).waitFor();
  return tab;
}

async function readCode({ page }: Tab, language: string): Promise<string> {
  await page.getByRole('button', { name: language, exact: true }).click();
  return (await page.getByRole('region', { name: `Code for ${language}` }).textContent()) ?? '';
}

/** Runs the code in a folder that has only the recording. @returns the folder */
async function runCode(
  { program, file, toSource }: SampleLanguage,
  code: string,
  recording: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const cwd = await mkdtemp(join(folder, 'run-'));
  await writeFile(join(cwd, file), toSource(code));
  await copyFile(SAMPLE, join(cwd, recording));
  await promisify(execFile)(program, [file], {
    cwd,
    timeout: PROCESSING_MS,
    env: { ...process.env, ...env },
  });
  return cwd;
}

describe('the code of the welcome page', () => {
  it.each(LANGUAGES)('in $name saves a transcript of the file beside it', async (language) => {
    const tab = await openWelcomeWithKey();
    const code = await readCode(tab, language.name);
    await tab.close();
    const cwd = await runCode(language, code, 'sample.mp3');
    const transcript = await readFile(join(cwd, 'transcript.json'), 'utf8');
    const { segments } = JSON.parse(transcript) as { segments: unknown[] };
    expect(segments.length).toBeGreaterThan(0);
  });

  const hasClient = spawnSync('python3', ['-c', 'import openai']).status === 0;
  // Debian has no package of the client.
  it('with the client of OpenAI for Python prints the text', async (context) => {
    context.skip(!hasClient, 'The client of OpenAI for Python is not installed.');
    const tab = await openWelcomeWithKey();
    const code = await readCode(tab, 'OpenAI client');
    await tab.close();
    const toSource = (text: string) => `python3 - > printed.txt <<'END'\n${text}\nEND\n`;
    const language = { name: 'OpenAI client', program: 'bash', file: 'sample.sh', toSource };
    const cwd = await runCode(language, code, 'sample.mp3');
    expect(await readFile(join(cwd, 'printed.txt'), 'utf8')).toContain('Good morning');
  });
});

describe('the code of the transcribe page', () => {
  it.each(LANGUAGES)(
    'in $name sends a file with an awkward name, with the chosen options',
    async (language) => {
      const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
      const { body: key } = await client.request('POST', 'keys', { name: 'program' });
      const tab = await browser.openAs(client, '/console/transcribe');
      const { page } = tab;
      await page
        .getByLabel('Choose files')
        .setInputFiles({ name: AWKWARD_NAME, mimeType: 'audio/mpeg', buffer: await readFile(SAMPLE) });
      await page.getByLabel('Format of the stored transcript').selectOption('txt');
      await page.getByLabel('Terms', { exact: true }).fill(TERM);
      await page.getByText('The same request as code').click();
      const code = await readCode(tab, language.name);
      await tab.close();
      const cwd = await runCode(language, code, AWKWARD_NAME, { ZEPHYR_API_KEY: String(key['api_key']) });
      expect(await readFile(join(cwd, 'transcript.txt'), 'utf8')).toContain('Good morning');
      const { body } = await client.request<{ jobs: { job_id: string }[] }>('GET', 'jobs');
      const { body: job } = await client.request('GET', `jobs/${body.jobs[0]?.job_id}`);
      expect(job).toMatchObject({
        file_name: AWKWARD_NAME,
        options: { output_type: 'txt', custom_vocabulary: [TERM] },
      });
    },
  );
});
