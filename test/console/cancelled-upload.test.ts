import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';
import { countUploadLocks, OBJECTS } from './support/uploads.js';

const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-cancelled-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

it('an upload that waits behind others and is cancelled in another tab is sent by no tab', async () => {
  const names = ['waiting.wav', 'second.wav', 'third.wav'];
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, silentWav(2));
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  const { page: sending } = tab;
  let requests = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await tab.context.route(OBJECTS, async (route) => {
    requests += 1;
    await released;
    await route.continue();
  });
  await sending.getByLabel('Choose files').setInputFiles(paths);
  await sending.getByRole('button', { name: 'Transcribe 3 files' }).click();
  await expect.poll(() => requests).toBe(2);
  const other = await tab.context.newPage();
  await other.goto('/console/transcribe');
  await other.getByRole('button', { name: 'Cancel upload: waiting.wav' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Cancel upload' }).click();
  for (const page of [other, sending])
    await page.getByRole('heading', { name: 'waiting.wav' }).waitFor({ state: 'detached' });
  release();
  await expect
    .poll(() => sending.getByRole('link', { name: 'Open the job' }).count(), { timeout: PROCESSING_MS })
    .toBe(2);
  await expect.poll(() => countUploadLocks(sending)).toBe(0);
  expect(requests).toBe(2);
  expect((await client.request('GET', 'jobs')).body['jobs']).toHaveLength(2);
  await tab.close();
});
