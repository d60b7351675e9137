import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialogueWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';

const PROCESSING_MS = 90_000;

/** Of its own, because that of the run does not recognise speech. */
let service: Service;
let browser: Browser;
let speech: Buffer;

beforeAll(async () => {
  service = await Service.start();
  browser = await Browser.launch(service.baseUrl);
  speech = Buffer.from(await dialogueWav());
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

it('transcribing works by keyboard alone from sign-in to a downloaded transcript', async () => {
  const account = await ConsoleAccount.open(service, 10_000);
  const { email } = await account.addUser('member');
  const tab = await browser.open();
  const { page } = tab;
  // The first listener begins the interception of file dialogs, which takes effect a moment later.
  page.on('filechooser', () => undefined);
  await page.goto('/console/');
  await tab.heading('Sign in').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await tab.heading('Welcome').waitFor();
  await tab.tabTo(page.getByRole('link', { name: 'Transcribe', exact: true }));
  await page.keyboard.press('Enter');
  await tab.heading('Transcribe').waitFor();
  await tab.tabTo(page.getByRole('button', { name: 'Choose files' }));
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer: speech });
  await tab.tabTo(page.getByRole('button', { name: 'Transcribe 1 file' }));
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: 'Open the transcript' });
  await link.waitFor({ timeout: PROCESSING_MS });
  await tab.tabTo(link);
  await page.keyboard.press('Enter');
  await tab.heading('Transcript of talk.wav').waitFor();
  await tab.tabTo(page.getByRole('button', { name: 'Download' }));
  await page.keyboard.press('Enter');
  await tab.untilFocused(page.getByRole('menuitem', { name: 'JSON' }));
  await page.keyboard.press('ArrowDown');
  await tab.untilFocused(page.getByRole('menuitem', { name: 'TXT' }));
  const downloaded = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('talk.txt');
  expect((await readFile(await download.path(), 'utf8')).length).toBeGreaterThan(100);
  expect(await tab.findProblems('keyboard-transcript')).toEqual([]);
  await tab.close();
});
