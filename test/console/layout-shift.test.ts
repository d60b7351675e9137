import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { CONSOLE_PAGES, type ConsolePage, preparePages } from './support/console-pages.js';
import { getSharedService } from './support/shared-service.js';

/** Above it, a page counts as one that moves while it loads (Cumulative Layout Shift). */
const MAX_SHIFT = 0.1;
const RECORD_SHIFTS = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;
const READ_SHIFTS =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(layoutShift))))';

const service = getSharedService();
let browser: Browser;
let owner: ConsoleUser;
let toPath: (page: ConsolePage) => string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  const account = await ConsoleAccount.open(service, 10_000);
  owner = await account.addUser();
  toPath = await preparePages(owner.client);
});

afterAll(async () => {
  await browser?.close();
});

/** Holds the answers about data. @returns lets them through */
async function holdData(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/console/api/**', async (route) => {
    if (!route.request().url().endsWith('/session')) await released;
    // The page may be gone meanwhile.
    await route.continue().catch(() => undefined);
  });
  return release;
}

describe.each([VIEWS[0], VIEWS[2]])('at $name', (view) => {
  it.each(CONSOLE_PAGES)(
    'the page $name keeps its place when its data come after the skeletons',
    async (shown) => {
      const tab = await browser.openAs(owner.client, '/console/icon.svg', view);
      const { page } = tab;
      await page.addInitScript(RECORD_SHIFTS);
      const release = await holdData(page);
      await page.goto(`/console/${toPath(shown)}`);
      if (shown.loaded === null) await tab.heading(shown.heading).waitFor();
      else await page.locator('.skeleton').first().waitFor();
      release();
      await tab.heading(shown.heading).waitFor();
      if (shown.loaded !== null)
        await page.getByText(shown.loaded).filter({ visible: true }).first().waitFor();
      expect(await page.evaluate<number>(READ_SHIFTS)).toBeLessThan(MAX_SHIFT);
      await tab.close();
    },
  );
});
