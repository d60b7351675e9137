import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LARGE_JOB, makeLargeTranscript } from '../../bench/console/large-transcript.mjs';
import type { ConsoleClient } from '../e2e/support/console-client.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { until } from '../e2e/support/until.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PLANTED = `<img data-planted src=x onerror="globalThis.planted = 1">`;
/** Differs from what the segments have. */
const WARNING = `${PLANTED} of a warning`;
/** Where it could become an element, a program, or the target of a link. */
const HAS_TAKEN_ROOT = `'planted' in globalThis || document.querySelector('[data-planted], a[href^="javascript:"]') !== null`;

const service = getSharedService();
let browser: Browser;
let receiver: WebhookReceiver;
let account: ConsoleAccount;
let owner: ConsoleClient;
let jobId: string;
let deliveryId: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  browser = await Browser.launch(service.baseUrl);
  account = await ConsoleAccount.open(service, 10_000);
  const user = await account.addUser();
  owner = user.client;
  // The name of a browser that is signed in.
  await owner.request(
    'POST',
    'sign-in',
    { email: user.email, password: PASSWORD },
    { 'user-agent': PLANTED },
  );
  await plantNames();
  jobId = await plantFailedJob();
  deliveryId = await plantWebhookAnswer();
});

afterAll(async () => {
  await browser?.close();
  await receiver?.close();
});

async function send(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await owner.request(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

async function plantNames(): Promise<void> {
  await send('PUT', 'account', { name: PLANTED });
  await send('POST', 'vocabularies', { name: PLANTED, terms: [PLANTED] });
  const key = await send('POST', 'keys', { name: PLANTED });
  await send('POST', 'limit-requests', {
    key_id: key['id'],
    limit: 'upload',
    requests_per_minute: 500,
    reason: PLANTED,
  });
  await service.query(
    `WITH answered AS (UPDATE limit_request SET answer = $2 WHERE account_id = $1),
       named AS (UPDATE app_user SET name = $2 WHERE id IN (SELECT user_id FROM membership WHERE account_id = $1)),
       key_of_owner AS (
         INSERT INTO passkey (id, user_id, name, public_key, counter, transports)
         SELECT gen_random_uuid()::text, user_id, $2, '\\x00', 0, '{}' FROM membership WHERE account_id = $1)
     INSERT INTO credit_entry (account_id, kind, amount, note) VALUES ($1, 'grant', 1, $2)`,
    [account.id, PLANTED],
  );
}

/** As if an engine had failed with the text. */
async function plantFailedJob(): Promise<string> {
  const id = randomUUID();
  await service.query(
    `INSERT INTO job (id, account_id, created_at, status, source, options, metadata, audio_key, content_type,
       queued_at, finished_at, audio_deleted_at, failed_stage, reason)
     VALUES ($1, $2, now(), 'failed', 'upload', jsonb_build_object('output_type', 'json', 'model', $3::text),
       jsonb_build_object('file_name', $3::text, 'note', $3::text), 'audio/none', 'audio/mpeg', now(), now(), now(),
       'preprocess', $3)`,
    [id, account.id, PLANTED],
  );
  return id;
}

async function plantWebhookAnswer(): Promise<string> {
  const path = `/planted?note=${encodeURIComponent(PLANTED)}`;
  const url = receiver.reply(path, { status: 404, body: PLANTED });
  const endpoint = await send('POST', 'webhook-endpoints', {
    url,
    description: PLANTED,
    events: ['failed'],
    enabled: true,
  });
  const test = await send('POST', `webhook-endpoints/${String(endpoint['id'])}/test`, {});
  const id = String(test['delivery_id']);
  await until('the answer is stored', async () => {
    const { body } = await owner.request('GET', `deliveries/${id}`);
    return JSON.stringify(body).includes('data-planted');
  });
  return id;
}

/** Opens the page, and waits for the text in its content. */
async function expectText({ page }: Tab, path: string): Promise<void> {
  await page.goto(`/console/${path}`);
  const main = page.getByRole('main');
  await expect.poll(async () => (await main.textContent()) ?? '', { message: path }).toContain(PLANTED);
  expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT), path).toBe(false);
}

it('script in everything that people, programs and receivers name stays text on every page', async () => {
  const tab = await browser.openAs(owner, '/console/');
  for (const path of [
    '',
    'transcribe',
    'jobs',
    `jobs/${jobId}`,
    'keys',
    'webhooks',
    `webhooks/deliveries/${deliveryId}`,
    'billing?view=ledger',
    'members',
    'settings',
    'audit',
    'profile',
    `jobs?text=${encodeURIComponent(PLANTED)}`,
  ])
    await expectText(tab, path);
  expect(await tab.findProblems('planted-scripts')).toEqual([]);
  await tab.close();
});

it('script that a recogniser writes stays text in the transcript, its search and its corrections', async () => {
  const tab = await browser.openAs(owner, '/console/settings');
  const { page } = tab;
  const transcript = makeLargeTranscript(28);
  for (const segment of transcript.segments) {
    segment.text = PLANTED;
    segment.words = segment.words.slice(0, 1).map((word) => ({ ...word, word: PLANTED }));
  }
  const speakers = transcript.speakers.map((speaker) => ({ ...speaker, name: PLANTED }));
  const correction = {
    segment: 1,
    text: PLANTED,
    corrected_at: new Date().toISOString(),
    corrected_by: null,
  };
  const path = `**/console/api/jobs/${LARGE_JOB.job_id}`;
  await page.route(path, (route) => route.fulfill({ json: { ...LARGE_JOB, file_name: PLANTED } }));
  await page.route(`${path}/corrections`, (route) => route.fulfill({ json: { corrections: [correction] } }));
  await page.route(`${path}/transcript?**`, (route) =>
    route.fulfill({ json: { ...transcript, speakers, warnings: [{ code: 'planted', message: WARNING }] } }),
  );
  await expectText(tab, `jobs/${LARGE_JOB.job_id}/transcript`);
  await page.getByRole('status').getByText(WARNING, { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Transcript' }).getByText(PLANTED).first().waitFor();
  await page.getByLabel('Search in the transcript').fill('planted');
  await page.getByText(/^1 of \d+$/).waitFor();
  expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT)).toBe(false);
  expect(await tab.findProblems('planted-transcript')).toEqual([]);
  await tab.close();
});

/** What an answer of the service could quote, about the fields of every form. */
const REJECTION = {
  code: 'validation_failed',
  detail: PLANTED,
  request_id: PLANTED,
  errors: [
    'name',
    'email',
    'url',
    'description',
    'requests_per_minute',
    'reason',
    'terms',
    'password',
    'other',
  ].map((field) => ({ field, message: PLANTED })),
};

it('script in the name of the account stays text on the page of an invitation, and in what its form answers', async () => {
  const email = `invited-${randomUUID()}@example.org`;
  const { link } = await send('POST', 'invitations', { email, role: 'member' });
  const tab = await browser.open();
  const { page } = tab;
  await page.goto(String(link));
  await page.getByRole('main').getByText(PLANTED).first().waitFor();
  await page.route('**/console/api/invitation/accept', (route) =>
    route.fulfill({ status: 422, json: REJECTION }),
  );
  await page.getByLabel('Your name').fill(PLANTED);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.locator('[id$="-error"]').getByText(PLANTED).first().waitFor();
  await page.getByRole('alert').getByText(PLANTED).waitFor();
  expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT)).toBe(false);
  expect(await tab.findProblems('planted-invitation')).toEqual([]);
  await tab.close();
});

/** Page, the button that opens its form if it has one, the field to fill, and the button that sends it. */
const FORMS = [
  ['keys', 'Create key', 'Name', 'Create key'],
  ['webhooks', 'Add endpoint', 'URL', 'Add endpoint'],
  ['members', 'Invite', 'Mail address', 'Create invitation'],
  ['settings', null, 'Name', 'Save'],
  ['settings', 'Add a vocabulary', 'Name', 'Add vocabulary'],
  ['profile', null, 'Name', 'Save'],
] as const;

it.each(FORMS)(
  'script in an error about a field of the page %s stays text (form: %s)',
  async (path, open, field, submit) => {
    const tab = await browser.openAs(owner, `/console/${path}`);
    const { page } = tab;
    await page.route('**/console/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 422, json: REJECTION }),
    );
    const part = open === null ? page.getByRole('main') : page.getByRole('dialog');
    if (open !== null) await page.getByRole('button', { name: open, exact: true }).click();
    const value = { URL: 'https://example.org/', 'Mail address': 'planted@example.org', Name: 'any' }[field];
    await part.getByLabel(field, { exact: true }).fill(value);
    for (const terms of await part.getByLabel('Terms').all()) await terms.fill('any');
    await part.getByRole('button', { name: submit, exact: true }).first().click();
    await part.locator('[id$="-error"]').getByText(PLANTED).first().waitFor();
    expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT)).toBe(false);
    expect(await tab.findProblems(`planted-field-${path}-${submit}`)).toEqual([]);
    await tab.close();
  },
);

it('script in an answer about data that cannot be loaded, and its request id, stay text', async () => {
  const tab = await browser.openAs(owner, '/console/profile');
  const { page } = tab;
  await tab.heading('Profile').waitFor();
  await page.route('**/console/api/members', (route) => route.fulfill({ status: 500, json: REJECTION }));
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('alert').getByText(`Request id: ${PLANTED}`).waitFor();
  expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT)).toBe(false);
  await tab.close();
});

it('script in the name of an account stays text in the banner that says that it was ended', async () => {
  const ended = await ConsoleAccount.open(service);
  const { client } = await ended.addUser();
  expect((await client.request('PUT', 'account', { name: PLANTED })).status).toBeLessThan(300);
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  await page.getByRole('button', { name: 'End this account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the account').fill(PLANTED);
  await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'End account' }).click();
  await page.getByRole('status').getByText(`${PLANTED} was ended.`).waitFor();
  expect(await page.evaluate<boolean>(HAS_TAKEN_ROOT)).toBe(false);
  expect(await tab.findProblems('planted-banner')).toEqual([]);
  await tab.close();
});
