import type { Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LARGE_JOB, openLargeTranscript, startOfWord } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { until } from '../e2e/support/until.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

/** A hundred segments, the speaker of which changes with every fourth. */
const WORDS = 1_400;
const TURNS = 25;
const AUDIO_SECONDS = 60;
const JOB = `**/console/api/jobs/${LARGE_JOB.job_id}`;

const service = getSharedService();
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  tab = await browser.openAs(client, '/console/settings');
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openLargeTranscript(tab.page, WORDS, Buffer.from(silentWav(AUDIO_SECONDS)));
  // Each test begins at the start of the audio, which does not play.
  await tab.page.evaluate(`document.querySelector('audio').muted = true`);
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  await tab.page.evaluate(
    `{ const audio = document.querySelector('audio'); audio.pause(); audio.currentTime = 0; audio.playbackRate = 1; }`,
  );
  await tab.heading('Transcript of long.wav').focus();
});

const readAudio = () =>
  tab.page.evaluate<{ seconds: number; isPlaying: boolean; speed: number }>(
    `(({ currentTime, paused, playbackRate }) => ({ seconds: currentTime, isPlaying: !paused, speed: playbackRate }))(document.querySelector('audio'))`,
  );
const readSeconds = async () => (await readAudio()).seconds;

describe('the keyboard shortcuts of a transcript', () => {
  it('space and K play and pause', async () => {
    const { keyboard } = tab.page;
    for (const key of ['Space', 'k']) {
      await keyboard.press(key);
      await tab.page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
      expect((await readAudio()).isPlaying, key).toBe(true);
      await keyboard.press(key);
      await tab.page.getByRole('button', { name: 'Play', exact: true }).waitFor();
      expect((await readAudio()).isPlaying, key).toBe(false);
    }
  });

  it('J, L and the arrows move in the audio', async () => {
    const { keyboard } = tab.page;
    const seconds: number[] = [];
    for (const key of ['l', 'l', 'ArrowRight', 'j', 'ArrowLeft']) {
      await keyboard.press(key);
      seconds.push(await readSeconds());
    }
    expect(seconds).toEqual([10, 20, 25, 15, 10]);
  });

  it('< and > change the speed, which the player shows, and stop at the slowest and the fastest', async () => {
    const { keyboard } = tab.page;
    const speed = tab.page.getByLabel('Speed');
    await keyboard.press('>');
    expect((await readAudio()).speed).toBe(1.25);
    await expect.poll(() => speed.inputValue()).toBe('1.25');
    for (let presses = 0; presses < 8; presses += 1) await keyboard.press('>');
    expect((await readAudio()).speed).toBe(2);
    for (let presses = 0; presses < 8; presses += 1) await keyboard.press('<');
    expect((await readAudio()).speed).toBe(0.5);
  });

  it('/ goes to the search, where the keys are text', async () => {
    const { keyboard } = tab.page;
    const search = tab.page.getByLabel('Search in the transcript');
    await keyboard.press('/');
    await tab.untilFocused(search);
    await keyboard.type('jkl /?');
    expect(await search.inputValue()).toBe('jkl /?');
    expect(await readAudio()).toEqual({ seconds: 0, isPlaying: false, speed: 1 });
    await search.fill('');
  });

  it('? lists the keys, and the switch in the list turns them off and on', async () => {
    const { page } = tab;
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const setShortcuts = async (isOn: boolean) => {
      await list.getByLabel('Use keyboard shortcuts').setChecked(isOn);
      await list.getByRole('button', { name: 'Close' }).click();
      await list.waitFor({ state: 'detached' });
    };
    await tab.heading('Transcript of long.wav').focus();
    await page.keyboard.press('?');
    await list.waitFor();
    await setShortcuts(false);
    await tab.heading('Transcript of long.wav').focus();
    await page.keyboard.press('l');
    expect(await readSeconds()).toBe(0);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await setShortcuts(true);
    await tab.heading('Transcript of long.wav').focus();
    await page.keyboard.press('l');
    expect(await readSeconds()).toBe(10);
  });

  it('leave the space bar to a button that has the focus', async () => {
    const button = tab.page.getByRole('button', { name: 'Forward 10 seconds' });
    await button.focus();
    await tab.page.keyboard.press('Space');
    expect(await readAudio()).toMatchObject({ seconds: 10, isPlaying: false });
  });
});

describe('the player of a transcript', () => {
  it('plays at the speed that is chosen', async () => {
    await tab.page.getByLabel('Speed').selectOption('1.5×');
    expect((await readAudio()).speed).toBe(1.5);
  });

  it('plays from a word that is clicked, and from the time of a segment', async () => {
    const { page } = tab;
    await page.locator('[data-word="20"]').click();
    await expect.poll(async () => (await readAudio()).isPlaying).toBe(true);
    const seconds = await readSeconds();
    expect(seconds).toBeGreaterThanOrEqual(startOfWord(20));
    expect(seconds).toBeLessThan(startOfWord(20) + AUDIO_SECONDS / 2);
    await page.locator('[data-word][data-sounding]').waitFor();
    await page.evaluate(`document.querySelector('audio').pause()`);
    await page.getByRole('button', { name: 'Play from 0:04' }).click();
    await expect.poll(readSeconds).toBeGreaterThanOrEqual(startOfWord(14));
  });

  it('does not move when words are selected', async () => {
    const { page } = tab;
    await page.evaluate(`const words = document.querySelectorAll('[data-word]');
      getSelection().setBaseAndExtent(words[10], 0, words[12], 1); words[12].click();`);
    expect(await readAudio()).toMatchObject({ seconds: 0, isPlaying: false });
    await page.evaluate('getSelection().removeAllRanges()');
  });
});

describe('the text of a transcript', () => {
  it('is copied with the names of the speakers and the corrections', async () => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Copy text' }).click();
    await page.getByRole('button', { name: 'Copied' }).or(page.getByText('Copied')).first().waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^Speaker 1: Good morning the schedule /);
    expect(copied.split(/\s+/)).toHaveLength(WORDS + 2 * TURNS);
  });
});

describe('changes of a transcript', () => {
  it('a correction is shown at once, and its field opens again with the text if saving fails', async () => {
    const { page } = tab;
    const row = page.locator('[data-segment="1"]');
    const original = await row.getByRole('paragraph').innerText();
    let fail = () => {};
    const held = new Promise<void>((resolve) => (fail = resolve));
    await page.route(`${JOB}/corrections/1`, async (route) => {
      await held;
      await route.fulfill({ status: 503, headers: { 'retry-after': '7' } });
    });
    await row.getByRole('button', { name: 'Correct the text at 0:04' }).click();
    const field = row.getByLabel('Corrected text');
    await field.fill('In summer it stays.');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText('In summer it stays.').filter({ visible: true }).waitFor();
    await row.getByText('Corrected', { exact: true }).waitFor();
    expect(await field.isVisible()).toBe(false);
    fail();
    await row.getByRole('alert').getByText('Try again in 7 seconds.').waitFor();
    expect(await field.inputValue()).toBe('In summer it stays.');
    await tab.untilFocused(field);
    expect(await row.getByText('Corrected', { exact: true }).count()).toBe(0);
    expect(await tab.findProblems('correction-not-saved')).toEqual([]);
    await row.getByRole('button', { name: 'Cancel' }).click();
    expect(await row.getByRole('paragraph').innerText()).toBe(original);
  });

  it('the name of a speaker is shown at once, and the dialog opens again if saving fails', async () => {
    const { page } = tab;
    const name = page.getByRole('list', { name: 'Transcript' }).getByRole('heading', { name: 'Ada' });
    let fail = () => {};
    const held = new Promise<void>((resolve) => (fail = resolve));
    const reject = async (route: Route) => {
      await held;
      const headers = { 'retry-after': '9' };
      await route.fulfill({ status: 429, headers, json: { detail: 'Too many requests.' } });
    };
    await page.route(`${JOB}/speakers`, reject, { times: 1 });
    await page.getByRole('button', { name: 'Name speakers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Speaker 2').fill('Ada');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await name.first().waitFor();
    fail();
    await dialog.getByRole('alert').getByText('Try again in 9 seconds.').waitFor();
    expect(await name.count()).toBe(0);
    expect(await dialog.getByLabel('Speaker 2').inputValue()).toBe('Ada');
    expect(await tab.findProblems('speaker-name-not-saved')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('button', { name: 'Name speakers' }).click();
    expect(await dialog.getByLabel('Speaker 2').inputValue()).toBe('');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('a rejected name returns to the dialog while another one is still being saved', async () => {
    const { page } = tab;
    const list = page.getByRole('list', { name: 'Transcript' });
    const dialog = page.getByRole('dialog');
    const answers: ((status: number) => void)[] = [];
    await page.route(`${JOB}/speakers`, async (route) => {
      const status = await new Promise<number>((resolve) => answers.push(resolve));
      await route.fulfill({
        status,
        json: status === 200 ? route.request().postDataJSON() : { detail: 'Down.' },
      });
    });
    for (const [speaker, name] of [
      ['Speaker 1', 'Ada'],
      ['Speaker 2', 'Grace'],
    ] as const) {
      await page.getByRole('button', { name: 'Name speakers' }).click();
      await dialog.getByLabel(speaker).fill(name);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await list.getByRole('heading', { name }).first().waitFor();
    }
    await expect.poll(() => answers.length).toBe(1);
    answers[0]?.(503);
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Speaker 1').inputValue()).toBe('Ada');
    expect(await list.getByRole('heading', { name: 'Ada', includeHidden: true }).count()).toBe(0);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(200);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await list.getByRole('heading', { name: 'Grace' }).first().waitFor();
    await page.getByRole('button', { name: 'Name speakers' }).click();
    expect(await dialog.getByLabel('Speaker 1').inputValue()).toBe('');
    expect(await dialog.getByLabel('Speaker 2').inputValue()).toBe('Grace');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(`${JOB}/speakers`);
  });

  it('text in an open field stays when the row leaves the window, and when another row is corrected', async () => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).click();
    const field = page.locator('[data-segment="0"]').getByLabel('Corrected text');
    await field.fill('Good evening.');
    // The row scrolls itself into the window for some frames after it has got its field.
    await until('other rows are shown', async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return (await page.locator('[data-segment="10"]').count()) === 0;
    });
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Correct the text at 0:04' }).click();
    expect(await field.inputValue()).toBe('Good evening.');
  });
});
