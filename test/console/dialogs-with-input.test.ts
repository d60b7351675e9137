import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

async function openSettings(): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  return browser.openAs(client, '/console/settings');
}

async function openTranscript(): Promise<Tab> {
  const tab = await openSettings();
  await openLargeTranscript(tab.page, 140, Buffer.from(silentWav(10)));
  return tab;
}

const DIALOGS: [string, () => Promise<Tab>, open: string, field: string][] = [
  ['a vocabulary', openSettings, 'Add a vocabulary', 'Terms'],
  ['names of speakers', openTranscript, 'Name speakers', 'Speaker 1'],
];

describe.each(DIALOGS)('before the dialog of %s is closed', (_, openPage, open, label) => {
  it('what was typed is asked about, and nothing if nothing was', async () => {
    const tab = await openPage();
    const { page } = tab;
    const dialog = page.getByRole('dialog').filter({ has: page.getByLabel(label) });
    const field = dialog.getByLabel(label);
    const cancel = dialog.getByRole('button', { name: 'Cancel', exact: true });
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    for (const close of [() => field.press('Escape'), () => cancel.click()]) {
      await page.getByRole('button', { name: open }).click();
      await field.waitFor();
      await close();
      await field.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: open }).click();
      await field.fill('Ada');
      await close();
      await question.getByRole('button', { name: 'Go on writing' }).click();
      expect(await field.inputValue()).toBe('Ada');
      await close();
      await question.waitFor();
      expect(await tab.findProblems('discard-question')).toEqual([]);
      await question.getByRole('button', { name: 'Discard' }).click();
      await field.waitFor({ state: 'detached' });
      await tab.untilFocused(page.getByRole('button', { name: open }));
    }
    await tab.close();
  });
});

it.each(VIEWS)('a vocabulary that somebody else has changed meanwhile is shown, at $name', async (view) => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  await client.request('POST', 'vocabularies', { name: 'Names', terms: ['Ada', 'Old'] });
  const { body } = await client.request<{ vocabularies: { id: string }[] }>('GET', 'vocabularies');
  const path = `vocabularies/${body.vocabularies[0]?.id ?? ''}`;
  const tab = await browser.openAs(client, '/console/settings', view);
  const { page } = tab;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change: Names' }).click();
  await dialog.getByLabel('Terms').fill('Ada\nMine');
  await client.request('PUT', path, { name: 'Names', terms: ['Ada', 'Theirs'] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const notice = dialog.getByRole('alert');
  await notice.getByText('Somebody else has changed this vocabulary meanwhile.').waitFor();
  await notice.getByText('Theirs', { exact: true }).waitFor();
  await notice.getByText('Old', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Terms').inputValue()).toBe('Ada\nMine');
  expect(await tab.findProblems(`vocabulary-changed-${view.name}`)).toEqual([]);
  const readTerms = async () => (await client.request<{ terms: string[] }>('GET', path)).body.terms;
  expect(await readTerms()).toEqual(['Ada', 'Theirs']);
  await dialog.getByLabel('Terms').fill('Ada\nMine\nTheirs');
  await dialog.getByRole('button', { name: 'Save mine' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await readTerms()).toEqual(['Ada', 'Mine', 'Theirs']);
  await tab.close();
});
