import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});
afterAll(async () => {
  await browser?.close();
});

/** In the page: whether its fields mask the text and let it be pasted, and what password managers are told. */
const DESCRIBE_FIELDS = `[...document.querySelectorAll('input[type=password]')].map((field) => ({
  wanted: field.autocomplete,
  takesPaste: field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
  isOpen: !field.readOnly && !field.disabled && (field.maxLength === -1 || field.maxLength >= 256),
}))`;

const CURRENT = { wanted: 'current-password', takesPaste: true, isOpen: true };
const NEW = { wanted: 'new-password', takesPaste: true, isOpen: true };

describe('the fields of passwords', () => {
  it('are masked, take what is pasted, and tell password managers which password they want', async () => {
    const { email, client } = await (await ConsoleAccount.open(service)).addUser();
    const link = (await service.admin('users', 'link', email, '--set-password')).stdout.trim();
    const invited = { email: `${crypto.randomUUID()}@example.org`, role: 'viewer' };
    const { body } = await client.request<{ link: string }>('POST', 'invitations', invited);
    const guest = await browser.open();
    for (const [address, label, fields] of [
      ['/console/sign-in', 'Password', [CURRENT]],
      [link, 'New password', [NEW]],
      [body.link, 'New password', [NEW]],
    ] as const) {
      await guest.page.goto(address);
      await guest.page.getByLabel(label, { exact: true }).waitFor();
      expect(await guest.page.evaluate(DESCRIBE_FIELDS), address.split('#')[0]).toEqual(fields);
    }
    await guest.close();
    const tab = await browser.openAs(client, '/console/profile');
    await tab.page.getByLabel('Current password', { exact: true }).first().waitFor();
    expect(await tab.page.evaluate(DESCRIBE_FIELDS)).toEqual([CURRENT, NEW]);
    await tab.close();
  });
});
