import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
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

it.each(VIEWS)(
  'a member becomes an owner, and an owner a member, only after a question, at $name',
  async (view) => {
    const account = await ConsoleAccount.open(service);
    const { client } = await account.addUser();
    const { email } = await account.addUser('member');
    const tab = await browser.openAs(client, '/console/members', view);
    const { page } = tab;
    const role = page.getByLabel(`Role of ${email}`, { exact: true });
    const readRole = async () => {
      const { body } = await client.request<{ members: { email: string; role: string }[] }>('GET', 'members');
      return body.members.find((member) => member.email === email)?.role;
    };
    const change = page.getByRole('button', { name: `Change the role of ${email}` });
    await role.selectOption('owner');
    await change.click();
    const promotion = page.getByRole('dialog', { name: `Make ${email} an owner?` });
    await promotion.waitFor();
    expect(await tab.findProblems(`owner-question-${view.name}`)).toEqual([]);
    await promotion.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => role.inputValue()).toBe('member');
    expect(await readRole()).toBe('member');
    await role.selectOption('owner');
    await change.click();
    await promotion.getByRole('button', { name: 'Change role' }).click();
    await promotion.waitFor({ state: 'detached' });
    expect(await readRole()).toBe('owner');
    await role.selectOption('viewer');
    await change.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await expect.poll(readRole).toBe('viewer');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => role.inputValue()).toBe('viewer');
    await role.selectOption('member');
    await change.click();
    await expect.poll(readRole).toBe('member');
    await tab.close();
  },
);

it('the keys that choose a role change nothing, the button does once, and for one’s own role it asks', async () => {
  const account = await ConsoleAccount.open(service);
  const admin = await account.addUser('admin');
  const { email } = await account.addUser('member');
  const tab = await browser.openAs(admin.client, '/console/members');
  const { page } = tab;
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON());
  });
  const role = page.getByLabel(`Role of ${email}`, { exact: true });
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await role.press(key);
  expect(await role.inputValue()).toBe('viewer');
  expect(sent).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(`${email} is now Viewer.`).waitFor({ state: 'attached' });
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe(`Role of ${email}`);
  expect(sent).toEqual([{ role: 'viewer' }]);
  await page.getByLabel(`Role of ${admin.email}`, { exact: true }).selectOption('member');
  await page.getByRole('button', { name: `Change the role of ${admin.email}` }).click();
  const question = page.getByRole('dialog', { name: 'Change your own role?' });
  await question.getByText('The new role is Member.').waitFor();
  expect(sent).toHaveLength(1);
  await question.getByRole('button', { name: 'Change role' }).click();
  await role.waitFor({ state: 'detached' });
  expect(sent).toEqual([{ role: 'viewer' }, { role: 'member' }]);
  await tab.close();
});

it('a shorter retention says what will be deleted, and is saved only after that', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  const days = page.getByLabel('Days to keep transcripts');
  const save = page.getByRole('button', { name: 'Save retention' });
  const question = page.getByRole('dialog', { name: 'Keep transcripts for 7 days only?' });
  const saved = page.getByText('The retention was changed.');
  await days.fill('7');
  await save.first().click();
  await question.getByText('Transcripts are deleted 7 days after the end of their job').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await client.request('GET', 'account')).body).toMatchObject({ transcript_retention_days: null });
  await save.click();
  await question.getByRole('button', { name: 'Save retention' }).click();
  await saved.waitFor();
  await days.fill('30');
  await save.click();
  await page.getByText('Transcripts are deleted 30 days after').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await tab.close();
});

it('a name that is too long is not cut off', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  const name = page.getByLabel('Name', { exact: true });
  await name.focus();
  await page.keyboard.insertText('x'.repeat(500));
  await page.getByText(/^This has 515 characters. At most 80 are possible.$/).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(await page.getByText('The name was changed.').count()).toBe(0);
  expect(await tab.findProblems('name-too-long')).toEqual([]);
  await name.fill('A short name');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The name was changed.').waitFor();
  await tab.close();
});
