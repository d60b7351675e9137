import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';
import { countUploadLocks } from './support/uploads.js';

const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-paused-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(['the tab that sends it', 'another tab'])(
  'an upload that is paused in %s is sent by no tab until it is resumed',
  async (where) => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, silentWav(2));
    const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
    const tab = await browser.openAs(client, '/console/transcribe');
    const { page: sending } = tab;
    let requests = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await tab.context.route('**/objects/**', async (route) => {
      requests += 1;
      await released;
      // The page may have given the request up.
      await route.continue().catch(() => undefined);
    });
    await sending.getByLabel('Choose files').setInputFiles(path);
    await sending.getByRole('button', { name: 'Transcribe 1 file' }).click();
    await expect.poll(() => requests).toBe(1);
    const waiting = await tab.context.newPage();
    await waiting.goto('/console/transcribe');
    await waiting.getByText(/^Waiting/).waitFor();
    const pausing = where === 'another tab' ? waiting : sending;
    await pausing.getByRole('button', { name: 'Pause: silence.wav' }).click();
    await sending.getByText(/^Paused/).waitFor();
    await waiting.getByText(/^Paused/).waitFor();
    await waiting.reload();
    await waiting.getByText(/^Paused/).waitFor();
    release();
    await expect.poll(() => countUploadLocks(waiting)).toBe(0);
    expect(requests).toBe(1);
    await waiting.getByRole('button', { name: 'Resume: silence.wav' }).click();
    await waiting.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    await tab.close();
  },
);
