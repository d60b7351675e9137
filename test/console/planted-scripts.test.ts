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
