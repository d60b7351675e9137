import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

it('the text of a transcript is saved as a file if the browser does not copy it', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  await openLargeTranscript(page, 140, Buffer.from(silentWav(10)));
  await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  `);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Copy text' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('long.wav.txt');
  expect(await readFile(await download.path(), 'utf8')).toMatch(/^Speaker 1: Good morning /);
  await page.getByRole('button', { name: 'Saved as a file' }).waitFor();
  await tab.close();
});
