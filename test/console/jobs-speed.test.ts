import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureLongestTask } from '../../bench/console/longest-task.mjs';
import { until } from '../e2e/support/until.js';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser } from './support/browser.js';
import { insertEndedJobs } from './support/ended-jobs.js';
import { getSharedService } from './support/shared-service.js';

const ROWS = 10_000;
/** Those in view and a few beyond. How long the tasks of a scroll take is measured by `bench/console.mjs`. */
const MAX_DRAWN_ROWS = 60;
const IS_LAST_ROW_RENDERED = `document.querySelector('[data-index="${ROWS - 1}"]') !== null`;

const service = getSharedService();
let browser: Browser;
let viewer: ConsoleUser;

beforeAll(async () => {
  const account = await ConsoleAccount.open(service);
  viewer = await account.addUser('viewer');
  await insertEndedJobs(service, account.id, ROWS);
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

it(`a list of ${ROWS} jobs scrolls to its end and draws only the rows around the window`, async () => {
  const tab = await browser.openAs(viewer.client, '/console/jobs');
  const { page } = tab;
  await page.getByRole('link', { name: 'recording 1.mp3' }).waitFor();
  await page.mouse.move(600, 600);
  const longest = await measureLongestTask(page, async () => {
    await until(
      'the last job is in view',
      async () => {
        await page.mouse.wheel(0, 5_000);
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        // Locators run in the page, where they would be measured as well.
        return page.evaluate<boolean>(IS_LAST_ROW_RENDERED);
      },
      100_000,
    );
  });
  console.log(`longest task while scrolling ${ROWS} jobs: ${longest.toFixed(1)} ms`);
  expect(await page.locator('[data-index]').count()).toBeLessThan(MAX_DRAWN_ROWS);
  await tab.close();
});
