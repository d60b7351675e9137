import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';

const FOLDER = process.env['PICTURES'] ?? '';
const EMAIL = 'olivia@example.org';
const PROCESSING_MS = 90_000;
/** Path, heading, and a text that appears with the data. */
const PAGES = [
  ['transcribe', 'Transcribe', 'Choose files'],
  ['jobs', 'Jobs', 'dialogue.mp3'],
  ['keys', 'Keys', 'Newsroom archive'],
  ['webhooks', 'Webhooks', 'Archive import'],
  ['billing', 'Usage and billing', 'Days are in UTC'],
  ['members', 'Members', 'milo@example.org'],
  ['settings', 'Settings', 'End this account'],
  ['audit', 'Audit log', 'Key created'],
  ['profile', 'Profile', 'This browser'],
] as const;

describe.skipIf(FOLDER === '')('the pictures of the documents (PICTURES=docs/console writes them)', () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    service = await Service.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000', OUTBOUND_ALLOW: '127.0.0.1' });
    browser = await Browser.launch(service.baseUrl);
    const { account_id } = await service.openAccount(10_000);
    const users = new ConsoleUsers(service, account_id);
    const owner = await users.createWithPassword(EMAIL);
    await users.createWithPassword('milo@example.org', 'member');
    const endpoint = {
      url: 'http://127.0.0.1:8080/transcripts',
      description: 'Archive import',
      events: ['completed', 'failed'],
      enabled: false,
    };
    for (const [method, path, body] of [
      ['PUT', 'account', { name: 'Northwind Radio' }],
      ['POST', 'keys', { name: 'Newsroom archive' }],
      ['POST', 'webhook-endpoints', endpoint],
    ] as const)
      expect((await owner.request(method, path, body)).status, path).toBeLessThan(300);
    await mkdir(FOLDER, { recursive: true });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each([VIEWS[2], VIEWS[0], VIEWS[3], VIEWS[1]])('show every page at $name', async (view) => {
    const tab = await browser.open(view);
    const suffix = view.colorScheme === 'dark' ? `${view.width}-dark` : view.width;
    const keep = (name: string) =>
      tab.page.screenshot({ path: join(FOLDER, `${name}-${suffix}.png`), animations: 'disabled' });
    await tab.page.goto('/console/');
    await tab.heading('Sign in').waitFor();
    await keep('sign-in');
    await tab.signIn(EMAIL, PASSWORD);
    await tab.heading('Welcome').waitFor();
    await transcribeSample(tab);
    await keep('welcome');
    await tab.page.getByRole('link', { name: 'Open the transcript' }).click();
    await tab.page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await tab.page.locator('[data-word="0"]').waitFor();
    await keep('transcript');
    await tab.page.goto('/console/jobs');
    await tab.page.getByRole('link', { name: 'dialogue.mp3' }).first().click();
    await tab.page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await keep('job');
    for (const [path, heading, text] of PAGES) {
      await tab.page.goto(`/console/${path}`);
      await tab.heading(heading).waitFor();
      await tab.page.getByText(text).first().waitFor();
      await keep(path);
    }
    expect(await tab.findProblems('documentation')).toEqual([]);
    await tab.close();
  });
});

async function transcribeSample({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Transcribe the sample' }).click();
  await page.getByText('The transcript is ready').waitFor({ timeout: PROCESSING_MS });
}
