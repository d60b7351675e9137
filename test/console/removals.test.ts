import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import type { ConsoleClient } from '../e2e/support/console-client.js';
import { createUpload } from '../e2e/support/console-jobs.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const DAY_MS = 86_400_000;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

const create = async (client: ConsoleClient, path: string, body: object) =>
  expect((await client.request('POST', path, body)).status).toBe(200);

interface Removal {
  page: string;
  prepare: (account: ConsoleAccount, owner: ConsoleUser) => Promise<void>;
  /** The button of the row, and that of the question, if there is one. */
  buttons: [string | RegExp, string?];
  password?: true;
  status: RegExp;
}

const REMOVALS: Record<string, Removal> = {
  'a key': {
    page: 'keys',
    prepare: (_, { client }) => create(client, 'keys', { name: 'importer' }),
    buttons: ['Revoke importer', 'Revoke'],
    status: /^importer was revoked\.$/,
  },
  'one of two keys': {
    page: 'keys',
    prepare: async (_, { client }) => {
      await create(client, 'keys', { name: 'importer' });
      await create(client, 'keys', { name: 'exporter' });
    },
    buttons: ['Revoke importer', 'Revoke'],
    status: /^importer was revoked\.$/,
  },
  'a vocabulary': {
    page: 'settings',
    prepare: (_, { client }) => create(client, 'vocabularies', { name: 'Names', terms: ['Ada'] }),
    buttons: ['Delete: Names', 'Delete'],
    status: /^The vocabulary Names was deleted\.$/,
  },
  'an endpoint': {
    page: 'webhooks',
    prepare: (_, { client }) =>
      create(client, 'webhook-endpoints', {
        url: 'http://127.0.0.1:9/',
        description: '',
        events: ['failed'],
        enabled: true,
      }),
    buttons: ['Delete http://127.0.0.1:9/', 'Delete'],
    status: /^The endpoint http:\/\/127\.0\.0\.1:9\/ was deleted\.$/,
  },
  'a member': {
    page: 'members',
    prepare: async (account) => void (await account.addUser('viewer')),
    buttons: [/^Remove viewer-/, 'Remove'],
    status: /^viewer-.* was removed\.$/,
  },
  'an invitation': {
    page: 'members',
    prepare: (_, { client }) =>
      create(client, 'invitations', { email: 'invited@example.org', role: 'viewer' }),
    buttons: ['Withdraw the invitation of invited@example.org'],
    status: /^The invitation of invited@example.org was withdrawn\.$/,
  },
  'a signed-in browser': {
    page: 'profile',
    prepare: async (_, { email }) => {
      const other = await browser.open();
      await other.page.goto('/console/sign-in');
      await other.signIn(email, PASSWORD);
      await other.untilSignedIn();
      await other.close();
    },
    buttons: [/^Sign out Chrom/, 'Sign out'],
    password: true,
    status: /^Chrom.* was signed out\.$/,
  },
};

describe('after a user has removed', () => {
  it.each(Object.entries(REMOVALS))('%s, the keyboard keeps its place and it is said', async (_, removal) => {
    const account = await ConsoleAccount.open(service);
    const owner = await account.addUser();
    await removal.prepare(account, owner);
    const tab = await browser.openAs(owner.client, `/console/${removal.page}`);
    const { page } = tab;
    const [button, confirm] = removal.buttons;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: button }).press('Enter');
    if (removal.password) await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    if (confirm !== undefined)
      await dialog.getByRole('button', { name: confirm, exact: true }).press('Enter');
    await page.getByRole('status').getByText(removal.status).waitFor({ state: 'attached' });
    await untilFocusHas(tab, removal.status);
    expect(await dialog.count()).toBe(0);
    expect(await tab.findProblems('removal')).toEqual([]);
    await tab.close();
  });
});

describe('after a user has cancelled a job', () => {
  it('the keyboard keeps its place', async () => {
    const { client } = await (await ConsoleAccount.open(service, 1000)).addUser();
    const jobId = await createUpload(client, silentWav(1), { metadata: { file_name: 'open.wav' } });
    const tab = await browser.openAs(client, `/console/jobs/${jobId}`, VIEWS[0]);
    const { page } = tab;
    await page.getByRole('button', { name: 'Cancel job' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).press('Enter');
    await page.getByText('The job was cancelled.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Cancel job' }).count()).toBe(0);
    await untilFocusHas(tab, 'Delete job');
    await tab.close();
  });
});

describe('after all rows are shown, and the button for more is gone', () => {
  it('the keyboard goes on below the entries of the ledger', async () => {
    const account = await ConsoleAccount.open(service);
    const { client } = await account.addUser();
    await service.query(
      `INSERT INTO credit_entry (account_id, kind, amount, note)
       SELECT $1, 'grant', 1, 'entry ' || n FROM generate_series(1, 60) n`,
      [account.id],
    );
    const tab = await browser.openAs(client, '/console/billing?view=ledger');
    await tab.page.getByRole('button', { name: 'Show older entries' }).press('Enter');
    await untilFocusHas(tab, '10 more, 60 shown');
    expect(await tab.findProblems('more-entries')).toEqual([]);
    await tab.close();
  });

  it('the keyboard goes on below the days of usage', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/settings');
    const { page } = tab;
    await page.route('**/console/api/usage?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      const first = Date.parse(`${searchParams.get('from')}T00:00:00Z`);
      const rows = Array.from({ length: 30 }, (_day, at) => ({
        day: new Date(first + at * DAY_MS).toISOString().slice(0, 10),
        ...{ key: null, kind: 'upload', created: 1, completed: 1, failed: 0, audio_seconds: 60, credits: 60 },
      }));
      return route.fulfill({ json: { from: searchParams.get('from'), days: 30, rows } });
    });
    await page.goto('/console/billing');
    await page.getByRole('button', { name: 'Show all days' }).press('Enter');
    await untilFocusHas(tab, '23 more, 30 shown');
    expect(await tab.findProblems('more-days')).toEqual([]);
    await tab.close();
  });
});

/** Waits until what has the focus holds the text. The whole page has it if nothing else does. */
const untilFocusHas = ({ page }: Tab, text: string | RegExp) =>
  page.locator('main :focus').getByText(text).first().waitFor({ state: 'attached' });
