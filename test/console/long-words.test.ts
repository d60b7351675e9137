import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const LONG = 'w'.repeat(200);
const LONG_ADDRESS = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(2)}example.org`;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('words without end, at $name', (view) => {
  it('make no page wider than its window', async () => {
    const account = await ConsoleAccount.open(service);
    const { email, client } = await account.addUser();
    await service.query('UPDATE app_user SET name = $2 WHERE email = $1', [email, LONG]);
    await client.request('POST', 'keys', { name: LONG.slice(0, 80) });
    await client.request('POST', 'vocabularies', { name: LONG.slice(0, 60), terms: [LONG.slice(0, 80)] });
    await client.request('POST', 'invitations', { email: LONG_ADDRESS, role: 'member' });
    await client.request('POST', 'webhook-endpoints', {
      ...{ url: `http://127.0.0.1:9/${LONG}`, description: LONG, events: ['failed'], enabled: true },
    });
    const tab = await browser.openAs(client, '/console/members', view);
    for (const [path, heading, text] of [
      ['members', 'Members', LONG],
      ['members', 'Members', LONG_ADDRESS],
      ['keys', 'Keys', LONG.slice(0, 80)],
      ['webhooks', 'Webhooks', LONG],
      ['settings', 'Settings', LONG.slice(0, 60)],
      ['audit', 'Audit log', LONG.slice(0, 80)],
    ] as const) {
      await tab.page.goto(`/console/${path}`);
      await tab.heading(heading).waitFor();
      await tab.page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();
      expect(await tab.findProblems(`long-words-${path}-${view.name}`), path).toEqual([]);
    }
    await tab.close();
  });
});
