import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { expectStatus } from '../e2e/support/client.js';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await Service.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function open(path: string, email: string): Promise<Tab> {
  const tab = await browser.open();
  await tab.page.goto(`/console/${path}`);
  await tab.signIn(email, PASSWORD);
  await tab.untilSignedIn();
  return tab;
}

/** Loading the keys fails from now on: a tab that gets the focus loads them again. @returns ends that */
async function keepKeys({ page }: Tab): Promise<() => Promise<void>> {
  const url = '**/console/api/keys';
  await page.route(url, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  return () => page.unroute(url);
}

it('a key that somebody else revokes while its pages are open and it uploads leaves nothing stuck', async () => {
  const users = new ConsoleUsers(service, (await ConsoleAccount.open(service, 100)).id);
  const owner = await users.createWithPassword('owner@example.org');
  await users.createWithPassword('admin@example.org', 'admin');
  const { body: key } = await owner.request<{ id: string; api_key: string }>('POST', 'keys', {
    name: 'importer',
  });
  const caller = await service.client(key.api_key);
  const audio = silentWav(1);
  const upload = await caller.create({ file_size: audio.length, metadata: { file_name: 'running.wav' } });

  const keys = await open('keys', 'owner@example.org');
  await keys.page.getByRole('button', { name: 'Revoke importer' }).waitFor();
  const loadKeys = await keepKeys(keys);
  const limits = await open('keys', 'owner@example.org');
  await limits.page.getByRole('button', { name: 'Revoke importer' }).waitFor();
  const loadKeysOfLimits = await keepKeys(limits);
  const jobs = await open(`jobs?key=${key.id}`, 'owner@example.org');
  await jobs.page.getByRole('link', { name: 'running.wav' }).waitFor();
  const job = await open(`jobs/${upload.job_id}`, 'owner@example.org');
  await job.page.getByText('The recording is being received or split.').waitFor();

  const other = await open('keys', 'admin@example.org');
  await other.page.getByRole('button', { name: 'Revoke importer' }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await other.page.getByRole('button', { name: 'Show 1 revoked' }).waitFor();

  // The signed URL goes on to work; the key does not.
  expectStatus(200, await caller.put(upload.upload_url, audio, upload.content_type));
  expect((await caller.complete(upload.job_id)).status).toBe(401);

  // Both pages still show the buttons of the key, which is the only one.
  const asking = limits.page.getByRole('dialog');
  await limits.page.getByRole('button', { name: 'Ask for a higher limit for importer' }).click();
  await asking.waitFor();
  await loadKeysOfLimits();
  await asking.getByLabel('Requests per minute').fill('500');
  await asking.getByLabel('Reason').fill('A long archive');
  await asking.getByRole('button', { name: 'Send request' }).click();
  await asking.getByText('The account has no such valid key.').waitFor();
  await limits.page.getByText('No key yet.').waitFor();
  expect(await limits.findProblems('revoked-key-limit')).toEqual([]);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await asking.waitFor({ state: 'detached' });
  const revoking = keys.page.getByRole('dialog');
  await keys.page.getByRole('button', { name: 'Revoke importer' }).click();
  await revoking.waitFor();
  await loadKeys();
  await revoking.getByRole('button', { name: 'Revoke' }).click();
  await revoking.waitFor({ state: 'detached' });
  await keys.page.getByRole('button', { name: 'Show 1 revoked' }).click();
  await keys.page.getByText(/^Revoked/).waitFor();
  expect(await keys.page.getByRole('button', { name: /importer$/ }).count()).toBe(0);

  const filter = jobs.page
    .getByLabel('Key', { exact: true })
    .locator('option:checked', { hasText: 'importer' });
  await filter.waitFor({ state: 'attached' });
  await jobs.page.reload();
  await jobs.page.getByRole('link', { name: 'running.wav' }).waitFor();
  // The keys may be loaded after the jobs.
  await filter.waitFor({ state: 'attached' });

  // Nobody can complete the upload with the key, but its job can be ended.
  await job.page.getByRole('button', { name: 'Cancel job' }).click();
  await job.page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await job.page.getByText('The job was cancelled.').first().waitFor();
  expect(await job.findProblems('revoked-key-job')).toEqual([]);
  for (const tab of [keys, limits, jobs, job, other]) await tab.close();
});
