import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { computeTotp } from '../e2e/support/totp.js';
import { ConsoleAccount } from './support/account.js';
import { readAppSecret } from './support/authenticator.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  tab = await browser.openAs(client, '/console/settings');
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterEach(() => tab.close());

const question = () => tab.page.getByRole('dialog', { name: 'Close without copying it?' });
const leaving = () => tab.page.getByRole('dialog', { name: 'Leave without copying it?' });

/** As without https. What the page has copied is read from `clipboard`. */
const WITHOUT_CLIPBOARD = `
  globalThis.clipboard = navigator.clipboard;
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
`;

async function createKey(): Promise<void> {
  await tab.page.getByRole('link', { name: 'Keys', exact: true }).click();
  await tab.page.getByRole('button', { name: 'Create key' }).click();
  await tab.page.getByRole('dialog').getByLabel('Name').fill('Archive');
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
}

describe('a key', () => {
  it('that is being made keeps its dialog, whatever is pressed', async () => {
    const { page } = tab;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/console/api/keys', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await createKey();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByRole('button', { name: 'Create key' }).and(page.locator('[aria-busy]')).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.goBack();
    await leaving().getByRole('button', { name: 'Stay' }).click();
    expect(await dialog.isVisible()).toBe(true);
    answer();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').innerText()).toMatch(/^zk_/);
  });

  it('that was not copied is asked about by Escape, Done and Back', async () => {
    const { page } = tab;
    await createKey();
    const key = page.getByLabel('API key');
    await key.waitFor();
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Go back' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await question().getByRole('button', { name: 'Go back' }).click();
    await page.goBack();
    await leaving().getByRole('button', { name: 'Stay' }).click();
    expect(await key.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await question().getByRole('button', { name: 'Close without copying' }).click();
    await key.waitFor({ state: 'detached' });
  });

  it('is copied where the browser has no clipboard for pages', async () => {
    const { page } = tab;
    await createKey();
    const key = page.getByLabel('API key');
    await key.waitFor();
    await page.evaluate(WITHOUT_CLIPBOARD);
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true });
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('clipboard.readText()')).toBe(await key.innerText());
    await tab.untilFocused(page.getByRole('button', { name: 'Copied' }));
    await page.getByRole('button', { name: 'Done' }).click();
    await key.waitFor({ state: 'detached' });
  });

  it('is selected if it cannot be copied, which the dialog says', async () => {
    const { page } = tab;
    await createKey();
    const key = page.getByLabel('API key');
    await key.waitFor();
    await page.evaluate(WITHOUT_CLIPBOARD);
    await page.evaluate('document.execCommand = () => false');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('The browser did not copy it. It is selected').waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(await key.innerText());
    expect(await tab.findProblems('key-selected')).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await question().waitFor();
  });

  it.each(['with the button', 'by hand'])('that was copied %s is closed without a question', async (how) => {
    const { page } = tab;
    await createKey();
    const key = page.getByLabel('API key');
    await key.waitFor();
    if (how === 'by hand') {
      await page.evaluate(`getSelection().selectAllChildren(document.querySelector('dialog output'))`);
      await page.keyboard.press('ControlOrMeta+c');
    } else {
      await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await key.waitFor({ state: 'detached' });
    expect(await question().count()).toBe(0);
  });

  it.each(VIEWS)('has a question without accessibility findings, at $name', async (view) => {
    const { width, height, colorScheme } = view;
    await tab.page.setViewportSize({ width, height });
    await tab.page.emulateMedia({ colorScheme });
    await createKey();
    await tab.page.getByRole('button', { name: 'Done' }).click();
    await question().waitFor();
    expect(await tab.findProblems(`key-not-copied-${view.name}`)).toEqual([]);
  });
});

it('recovery codes that are being made keep their dialog, whatever is pressed', async () => {
  const { page } = tab;
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/console/api/profile/second-factor/enable', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/console/profile');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await readAppSecret(dialog);
  await dialog.getByLabel('Code of the app').fill(computeTotp(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).and(page.locator('[aria-busy]')).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter', { timeout: 5_000 });
  answer();
  await dialog.getByRole('listitem').first().waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(10);
});

it('the link of an invitation that was not copied is asked about', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('Mail address').fill('ada@example.org');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invitation' }).click();
  await page.getByLabel('Invitation link').waitFor();
  await page.keyboard.press('Escape');
  await question().getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.getByLabel('Invitation link').count()).toBe(0);
});

it('a key on the page Welcome is asked about until it, or the code with it, is copied', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Welcome' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await leaving().getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Copy code' }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await tab.heading('Members').waitFor();
  expect(await leaving().count()).toBe(0);
});
