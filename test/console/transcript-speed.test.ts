import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openLargeTranscript,
  playWords,
  scrollToLastWord,
  startOfWord,
} from '../../bench/console/large-transcript.mjs';
import { measureLongestTask } from '../../bench/console/longest-task.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const WORDS = 100_000;
const MAX_LAG_MS = 60;
/** Half of a frame: readings of the time in one frame differ less. */
const HALF_FRAME_SECONDS = 0.008;

const service = getSharedService();
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  tab = await browser.openAs(client, '/console/settings');
  await openLargeTranscript(tab.page, WORDS, Buffer.from(silentWav(60)));
});

afterAll(async () => {
  await tab?.close();
  await browser?.close();
});

describe(`a transcript of ${WORDS} words`, () => {
  it('draws only the segments around the window when it is scrolled to its end', async () => {
    const { page } = tab;
    const longest = await measureLongestTask(page, () => scrollToLastWord(page, WORDS));
    console.log(`longest task while scrolling: ${longest.toFixed(1)} ms`);
    expect(await page.locator('[data-segment]').count()).toBeLessThan(100);
  });

  it(`lights words up within ${MAX_LAG_MS} ms of their sound, or with the next frame`, async () => {
    let played: Awaited<ReturnType<typeof playWords>> = { sounded: [], frames: [] };
    const longest = await measureLongestTask(tab.page, async () => {
      played = await playWords(tab.page, 40);
    });
    const { sounded, frames } = played;
    const words = sounded.map(({ word }) => word);
    expect(words.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, word) => word));
    const lags = sounded.map(({ word, seconds }) => seconds - startOfWord(word));
    const latest = Math.max(...lags.slice(1)) * 1_000;
    console.log(`latest word: ${latest.toFixed(1)} ms; longest task: ${longest.toFixed(1)} ms`);
    expect(Math.min(...lags)).toBeGreaterThanOrEqual(0);
    // The first word starts with the audio itself. A busy machine draws frames late, and no word sooner than its frame.
    const late = sounded
      .slice(1)
      .filter(({ word, seconds }) => seconds - startOfWord(word) >= MAX_LAG_MS / 1_000)
      .filter(({ word, seconds }) =>
        frames.some((at) => at >= startOfWord(word) && at < seconds - HALF_FRAME_SECONDS),
      );
    expect(late).toEqual([]);
  });
});
