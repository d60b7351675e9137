import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

/** Of 0.3 seconds. */
const WORDS = 140;
const TRANSCRIPT_SECONDS = 42;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
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
