import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { dialogueWav, silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';
import { send } from './support/uploads.js';

/** Of 0.3 seconds. */
const WORDS = 140;
const TRANSCRIPT_SECONDS = 42;
const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-other-audio-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  [3, true],
  [TRANSCRIPT_SECONDS - 3, true],
  [TRANSCRIPT_SECONDS - 1, false],
  [TRANSCRIPT_SECONDS + 3, true],
])('audio of %s seconds for a transcript of 42 is another file: %s', async (seconds, isOther) => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/settings', VIEWS[0]);
  await openLargeTranscript(tab.page, WORDS, Buffer.from(silentWav(seconds)));
  const clock = `0:${String(seconds).padStart(2, '0')}`;
  // The player has read how long it lasts.
  await tab.page.getByText(`0:00 / ${clock}`).waitFor();
  const warning = tab.page.getByText(`This file lasts ${clock}, but the transcript is of 0:42.`);
  expect(await warning.count()).toBe(isOther ? 1 : 0);
  await tab.close();
});

it('audio that cannot be read is named as the reason why it is not played', async () => {
  const path = join(folder, 'talk.wav');
  await writeFile(path, await dialogueWav());
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  const { page } = tab;
  // Without room the browser has no copy.
  await page.evaluate(`navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })`);
  await send(tab, path);
  await page.getByRole('link', { name: 'Open the transcript' }).click({ timeout: PROCESSING_MS });
  const choose = page.getByRole('button', { name: 'Choose the audio file' });
  await choose.waitFor();
  await page.evaluate(`{
    Blob.prototype.stream = () => {
      throw new TypeError('as in a browser that cannot read into a given buffer');
    };
    Blob.prototype.arrayBuffer = () =>
      new Promise((_, reject) => (globalThis.fail = () => reject(new DOMException('', 'NotReadableError'))));
  }`);
  await page.getByLabel('Choose the audio file').and(page.locator('input')).setInputFiles(path);
  await expect.poll(() => choose.getAttribute('aria-busy')).toBe('true');
  await page.evaluate('fail()');
  await page.getByText('The file could not be read').waitFor();
  expect(await choose.getAttribute('aria-busy')).toBeNull();
  expect(await tab.findProblems('audio-not-read')).toEqual([]);
  await tab.close();
});
