import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleClient } from '../e2e/support/console-client.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { type Customer, PaymentService } from '../payments/support/payment-service.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';

const FOLDER = process.env['PICTURES'] ?? '';
const EMAIL = 'olivia@example.org';
const PROCESSING_MS = 240_000;
/** Who is invited in each view. */
const GUESTS = {
  '360-light': 'nora@example.org',
  '360-dark': 'amir@example.org',
  '1280-light': 'lena@example.org',
  '1280-dark': 'jona@example.org',
} as const;
/** Path, heading, a text that appears with the data, and the name of the picture unless it is the path. */
const PAGES = [
  ['transcribe', 'Transcribe', 'Choose files'],
  ['jobs', 'Jobs', 'dialogue.mp3'],
  ['keys', 'Keys', 'Newsroom archive'],
  ['webhooks', 'Webhooks', 'Archive import'],
  ['billing', 'Usage and billing', 'Days are in UTC'],
  ['billing?view=payments', 'Usage and billing', 'Visa ending in 4242', 'payments'],
  ['members', 'Members', 'milo@example.org'],
  ['settings', 'Settings', 'End this account'],
  ['audit', 'Audit log', 'Key created'],
  ['profile', 'Profile', 'This browser'],
] as const;

describe.skipIf(FOLDER === '')('the pictures of the documents (PICTURES=docs/console writes them)', () => {
  let system: PaymentService;
  let receiver: WebhookReceiver;
  let browser: Browser;
  let owner: ConsoleClient;
  let deliveryId: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    system = await PaymentService.start({
      SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000',
      OUTBOUND_ALLOW: '127.0.0.1',
      CREDIT_PRICE: '0.0002',
      CREDIT_PACKAGES: '36000,360000',
    });
    const { service } = system;
    browser = await Browser.launch(service.baseUrl);
    const customer = await system.openAccount(10_000);
    await buyCredits(customer);
    const users = new ConsoleUsers(service, customer.id);
    owner = await users.createWithPassword(EMAIL);
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
    deliveryId = await deliverTestEvent();
    await mkdir(FOLDER, { recursive: true });
  });

  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    await receiver?.close();
  });

  async function buyCredits(customer: Customer): Promise<void> {
    await system.buy(customer, 36_000);
    await system.untilDelivered();
  }

  async function deliverTestEvent(): Promise<string> {
    const url = receiver.reply('/transcripts', { status: 503, body: 'The archive is being moved.' }, 200);
    const endpoint = await owner.request<{ id: string }>('POST', 'webhook-endpoints', {
      ...{ url, description: 'Search index', events: ['completed'], enabled: true },
    });
    const { body } = await owner.request<{ delivery_id: string }>(
      'POST',
      `webhook-endpoints/${endpoint.body.id}/test`,
    );
    await until('the delivery has been attempted', async () => {
      const delivery = await owner.request<{ attempt_list: unknown[] }>(
        'GET',
        `deliveries/${body.delivery_id}`,
      );
      return delivery.body.attempt_list.length > 0;
    });
    return body.delivery_id;
  }

  /** @returns the code that `zephyr login` shows */
  async function startCommandLine(): Promise<string> {
    const commandLine = new ConsoleClient(system.service);
    const { body } = await commandLine.request<{ user_code: string }>('POST', 'command-line/start', {
      machine: 'build-server',
    });
    return body.user_code;
  }

  async function invite(email: string): Promise<string> {
    const { body } = await owner.request('POST', 'invitations', { email, role: 'member' });
    return String(body['link']);
  }

  it.each([VIEWS[2], VIEWS[0], VIEWS[3], VIEWS[1]])(
    'show every page at $name',
    { timeout: 2 * PROCESSING_MS },
    async (view) => {
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
      for (const [path, heading, text, name = path] of PAGES) {
        await tab.page.goto(`/console/${path}`);
        await tab.heading(heading).waitFor();
        await tab.page.getByText(text).first().waitFor();
        await keep(name);
      }
      await tab.page.goto(`/console/webhooks/deliveries/${deliveryId}`);
      await tab.page.getByRole('region', { name: 'Attempt 1: Response' }).waitFor();
      await keep('delivery');
      await tab.page.goto('/console/command-line');
      await tab.page.getByLabel('Code').fill(await startCommandLine());
      await tab.page.getByRole('button', { name: 'Continue' }).click();
      await tab.page.getByRole('button', { name: 'Approve' }).waitFor();
      await keep('command-line');
      expect(await tab.findProblems('documentation')).toEqual([]);
      await tab.page.goto('/docs', { timeout: PROCESSING_MS });
      const start = tab.page.getByRole('heading', { name: 'From a file to a transcript' });
      await start.filter({ visible: true }).first().waitFor({ timeout: PROCESSING_MS });
      await keep('reference');
      await tab.context.clearCookies();
      await tab.page.goto(await invite(GUESTS[view.name]));
      await tab.page.getByLabel('Your name').waitFor();
      await keep('invitation');
      await tab.page.goto('/console/forgot-password');
      await tab.heading('Forgotten password').waitFor();
      await keep('forgot-password');
      await tab.page.goto('/console/set-password#token');
      await tab.heading('Set a password').waitFor();
      await keep('set-password');
      await tab.close();
    },
  );
});

async function transcribeSample({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Transcribe the sample' }).click();
  await page.getByText('The transcript is ready').waitFor({ timeout: PROCESSING_MS });
}
