import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('the documentation site at $name', (view) => {
  it('has no accessibility finding, keeps to its policy and fits', async () => {
    const tab = await browser.open(view);
    const { page } = tab;
    const requested: string[] = [];
    page.on('request', (request) => void requested.push(new URL(request.url()).origin));
    for (const [name, path, heading] of [
      ['home', '', 'zephyr'],
      ['code', '/quick-start/python', 'Quick start in Python'],
      ['tables', '/configuration', 'Configuration'],
      ['routes', '/routes', 'All routes'],
      ['missing', '/no-such-page', 'No such page'],
    ] as const) {
      await page.goto(`/docs/guide${path}`);
      await tab.heading(heading).waitFor();
      expect(await tab.findProblems(`guide-${name}-${view.name}`), name).toEqual([]);
    }
    expect(new Set(requested)).toEqual(new Set([service.baseUrl]));
    await tab.close();
  });

  it('finds a term, and opens the section that has it, by keyboard alone', async () => {
    const tab = await browser.open(view);
    const { page } = tab;
    await page.goto('/docs/guide/operating/upgrades');
    await page.keyboard.press('/');
    await page.keyboard.type('last-event-id reconecting');
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
    await results.first().waitFor();
    expect(await results.first().textContent()).toMatch(/^Reconnecting – Events/);
    expect(await tab.findProblems(`guide-search-${view.name}`)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tab.heading('Events').waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(
      '/docs/guide/api/events#reconnecting',
    );
    await tab.close();
  });
});

describe('the search of the documentation site', () => {
  it('says when nothing was found, and closes with Escape', async () => {
    const tab = await browser.open();
    const { page } = tab;
    await page.goto('/docs/guide');
    expect(await page.title()).toBe('zephyr guide');
    const field = page.getByRole('searchbox', { name: 'Search the guide' });
    await field.fill('xyzzyplugh');
    await page.getByText('Nothing was found.').waitFor();
    await field.fill('webhook');
    await page.getByRole('list', { name: 'Results' }).waitFor();
    await field.press('Escape');
    await page.getByRole('list', { name: 'Results' }).waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('webhook');
    await tab.close();
  });

  it('says that it could not be loaded, and works once it can', async () => {
    const tab = await browser.open();
    const { page } = tab;
    await page.route('**/assets/search-*.json', (route) => route.abort());
    await page.goto('/docs/guide');
    const field = page.getByRole('searchbox', { name: 'Search the guide' });
    await field.fill('webhook');
    await page.getByText('The search could not be loaded. Try again.').waitFor();
    await page.unroute('**/assets/search-*.json');
    await field.fill('webhooks');
    await page.getByRole('list', { name: 'Results' }).waitFor();
    expect(await page.getByText('could not be loaded').count()).toBe(0);
    await tab.close();
  });
});

describe.each(VIEWS)('the buttons that copy code, at $name', (view) => {
  it('cover no code', async () => {
    const tab = await browser.open(view);
    const { page } = tab;
    await page.goto('/docs/guide/quick-start/node');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    const covered = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.code')].map((block) => {
        const code = block.querySelector('pre').getBoundingClientRect();
        const button = block.querySelector('.copy').getBoundingClientRect();
        const width = Math.min(code.right, button.right) - Math.max(code.left, button.left);
        const height = Math.min(code.bottom, button.bottom) - Math.max(code.top, button.top);
        return Math.max(0, width) * Math.max(0, height);
      })`,
    );
    expect(covered.length).toBeGreaterThan(3);
    expect(covered.filter((pixels) => pixels > 0)).toEqual([]);
    await tab.close();
  });
});

describe('a table of the documentation site', () => {
  it('shows every cell at 360 pixels, after the title of its column', async () => {
    const tab = await browser.open(VIEWS[0]);
    const { page } = tab;
    await page.goto('/docs/guide/configuration');
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.table')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText.slice(0, 40))`,
    );
    expect(cut).toEqual([]);
    const meaning = page.locator('td[data-title="Meaning"]').first();
    expect((await meaning.boundingBox())?.width).toBeGreaterThan(200);
    const title = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('td[data-title="Meaning"]'), '::before').content`,
    );
    expect(title).toContain('Meaning');
    await tab.close();
  });
});

describe('the navigation of the documentation site', () => {
  it('is folded at 360 pixels and opens', async () => {
    const tab = await browser.open(VIEWS[0]);
    await tab.page.goto('/docs/guide/large-files');
    const link = tab.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Vocabularies' });
    expect(await link.isVisible()).toBe(false);
    await tab.page.getByText('Pages', { exact: true }).click();
    await link.click();
    await tab.heading('Vocabularies').waitFor();
    await tab.close();
  });
});
