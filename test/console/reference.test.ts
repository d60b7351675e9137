import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

/** What Scalar's own elements do, which this page cannot change: such a finding is in Scalar, and any other one fails. */
const RULES_THAT_SCALAR_BREAKS = [
  'aria-allowed-attr',
  'aria-allowed-role',
  'aria-input-field-name',
  'aria-required-children',
  'button-name',
  'heading-order',
  'label-content-name-mismatch',
  'landmark-unique',
];

/** Scalar renders every operation first. */
const RENDERING_MS = 60_000;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('the API reference at $name', (view) => {
  it('keeps to its own policy, fits, is readable, and leads back to the console', async () => {
    const tab = await browser.open(view);
    const { page } = tab;
    await page.goto('/docs', { timeout: RENDERING_MS });
    await page
      .getByRole('heading', { name: 'From a file to a transcript' })
      .first()
      .waitFor({ timeout: RENDERING_MS });
    const problems = await tab.findProblems(`reference-${view.name}`);
    await page.keyboard.press('End');
    await page
      .getByRole('heading', { name: /Models/ })
      .first()
      .waitFor();
    // Scalar renders the rest when the page is scrolled.
    problems.push(...(await tab.findProblems(`reference-end-${view.name}`)));
    expect(
      problems.filter((each) => !RULES_THAT_SCALAR_BREAKS.some((rule) => each.startsWith(`${rule}: `))),
    ).toEqual([]);
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await tab.heading('Sign in').waitFor();
    await tab.close();
  });
});
