import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
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

async function openSettings(
  account: ConsoleAccount,
  role: string,
  view?: (typeof VIEWS)[number],
): Promise<Tab> {
  const { client } = await account.addUser(role);
  const tab = await browser.openAs(client, '/console/settings', view);
  await tab.heading('Settings').waitFor();
  return tab;
}

async function insertOldTranscript(accountId: string): Promise<void> {
  await service.query(
    `INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, status, result_key, finished_at)
     VALUES (gen_random_uuid(), $1, now() - interval '10 days', 'upload', '{}', 'audio/x', 'audio/wav', 'completed',
       'transcripts/x/f1/t.txt', now() - interval '10 days')`,
    [accountId],
  );
}

describe.each(VIEWS)('at $name', (view) => {
  it('the account is renamed and ended', async () => {
    const account = await ConsoleAccount.open(service);
    const tab = await openSettings(account, 'owner', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`settings-${name}-${view.name}`), name).toEqual([]);
    const name = '<b>Renamed</b>';
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The name was changed.').waitFor();
    await page.getByRole('button', { name: `Account: ${name}` }).waitFor();
    await page.getByText('Transcripts are kept until they are deleted by hand.').waitFor();
    await expectSound('page');
    const days = page.getByLabel('Days to keep transcripts');
    const saveRetention = page.getByRole('button', { name: 'Save retention' });
    await days.fill('0');
    await saveRetention.click();
    await page.getByText('Enter a whole number from 1 to 36,500, or nothing.').waitFor();
    const shorter = page.getByRole('dialog', { name: /^Keep transcripts for/ });
    const confirmShorter = shorter.getByRole('button', { name: 'Save retention' });
    await days.fill('30');
    await saveRetention.click();
    await expectSound('shorter');
    await confirmShorter.click();
    await page.getByText('Transcripts are deleted 30 days after the end of their job').waitFor();
    await page.getByText('The retention was changed.').waitFor();
    await expectSound('retention');
    await insertOldTranscript(account.id);
    await days.fill('7');
    await saveRetention.click();
    await confirmShorter.click();
    const confirmation = page.getByRole('dialog', { name: 'Delete older transcripts?' });
    await confirmation.getByText('1 transcript is older than the new period').waitFor();
    await expectSound('older');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Transcripts are deleted 30 days after the end of their job').waitFor();
    await saveRetention.click();
    await confirmShorter.click();
    await confirmation.getByRole('button', { name: 'Delete and save' }).click();
    await page.getByText('Transcripts are deleted 7 days after the end of their job').waitFor();
    await page.getByRole('button', { name: 'Add a vocabulary' }).click();
    const vocabulary = page.getByRole('dialog');
    await vocabulary.getByLabel('Name').fill('<i>People</i>');
    await vocabulary.getByLabel('Terms').fill('Ada Lovelace\n\nGrüße');
    await expectSound('vocabulary');
    await vocabulary.getByRole('button', { name: 'Add vocabulary' }).click();
    await page.getByRole('button', { name: 'Change: <i>People</i>' }).click();
    await vocabulary.getByLabel('Terms').fill('Ada Lovelace');
    await vocabulary.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Vocabularies' }).getByText('1', { exact: true }).waitFor();
    await expectSound('vocabularies');
    await page.goto('/console/transcribe');
    await page.getByLabel('Vocabulary', { exact: true }).selectOption('<i>People</i>');
    await page.getByText('The same request as code').click();
    await page.getByText('"vocabulary": "<i>People</i>"').waitFor();
    await expectSound('transcribe');
    await page.goto('/console/settings');
    await page.getByRole('button', { name: 'Delete: <i>People</i>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no vocabulary yet.').waitFor();
    await page.getByRole('button', { name: 'End this account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the account').fill('Renamed');
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'End account' }).click();
    await dialog.getByText('This is not the name of the account.').waitFor();
    await expectSound('end');
    await dialog.getByLabel('Name of the account').fill(name);
    await dialog.getByRole('button', { name: 'End account' }).click();
    await tab.heading('You are a member of no account').waitFor();
    await page.getByText(`${name} was ended.`).waitFor();
    await expectSound('ended');
    await tab.close();
  });
});

it('others see the settings and can change none', async () => {
  const tab = await openSettings(await ConsoleAccount.open(service), 'member');
  await tab.page.getByText('an organisation').first().waitFor();
  expect(await tab.page.getByRole('button', { name: /Save|End/ }).count()).toBe(0);
  expect(await tab.findProblems('settings-member')).toEqual([]);
  await tab.close();
});
