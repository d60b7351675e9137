import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import type { ConsoleClient } from '../e2e/support/console-client.js';
import { createUpload } from '../e2e/support/console-jobs.js';
import { until } from '../e2e/support/until.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { insertEndedJobs } from './support/ended-jobs.js';
import { getSharedService } from './support/shared-service.js';

/** Without a place to break a line. */
const SCRIPT = `<script>alert(1)</script>${'long_name_'.repeat(5)}`;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

async function openJobs(client: ConsoleClient, view: (typeof VIEWS)[number]): Promise<Tab> {
  const tab = await browser.openAs(client, '/console/jobs', view);
  await tab.heading('Jobs').waitFor();
  return tab;
}

async function untilEnded(member: ConsoleClient, jobId: string): Promise<void> {
  await until('the job has ended', async () => {
    const { body } = await member.request('GET', `jobs/${jobId}`);
    return body['status'] !== 'processing';
  });
}

describe.each(VIEWS)('jobs at $name', (view) => {
  it('list and detail work, follow a job, have no accessibility finding and fit', async () => {
    const account = await ConsoleAccount.open(service, 1000);
    const { client: member } = await account.addUser('member');
    const tab = await openJobs(member, view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    await page.getByText('There are no jobs yet.').waitFor();
    expect(await page.getByLabel('File name, metadata or id').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Transcribe' }).waitFor();
    await expectSound('jobs-empty');

    await insertEndedJobs(service, account.id, 120);
    const open = await createUpload(member, silentWav(1), { metadata: { file_name: `${SCRIPT}.wav` } });
    await page.getByRole('link', { name: `${SCRIPT}.wav` }).waitFor();
    await page.getByText('Processing').last().waitFor();
    await expectSound('jobs');

    await page.getByLabel('File name, metadata or id').fill('recording 7.');
    await page.getByRole('link', { name: 'recording 7.mp3' }).waitFor();
    await expect.poll(() => page.url()).toContain('text=recording');
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByText('No job matches these filters.').waitFor();
    await expectSound('jobs-no-match');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: `${SCRIPT}.wav` }).waitFor();
    await tab.untilFocused(page.getByRole('search'));

    await page.getByRole('link', { name: `${SCRIPT}.wav` }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('recording 1.mp3');
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('recording 120.mp3');
    await page.keyboard.press('Enter');
    await tab.heading('recording 120.mp3').waitFor();
    await page.getByText('Check that the file plays', { exact: false }).waitFor();
    await page.getByText('Failed in: Splitting the audio into parts').waitFor();
    await page.getByRole('term').getByText('Ended', { exact: true }).waitFor();
    expect(await page.getByText('Not yet known').count()).toBe(0);
    await page.getByRole('term').getByText('Format of the stored transcript').waitFor();
    expect(await page.getByText('output_type').count()).toBe(0);
    await expectSound('job-failed');

    await page.getByRole('link', { name: 'All jobs' }).click();
    await page.getByRole('link', { name: `${SCRIPT}.wav` }).click();
    await tab.heading(`${SCRIPT}.wav`).waitFor();
    await page.getByText('The recording is being received or split.').waitFor();
    await expectSound('job-processing');
    expect((await member.request('POST', 'upload/complete', { job_id: open })).status).toBe(200);
    await page.getByRole('link', { name: 'Open transcript' }).waitFor();
    await page
      .getByText(/^Putting the transcript together, (?:1 of 1 step|([2-9]|\d{2,}) of \1 steps)$/)
      .waitFor();
    await expectSound('job-completed');
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound('job-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
    await tab.heading('Jobs').waitFor();
    await page.getByRole('link', { name: 'recording 1.mp3' }).waitFor();
    expect(await page.getByRole('link', { name: `${SCRIPT}.wav` }).count()).toBe(0);

    const cancelled = await createUpload(member, silentWav(1), { metadata: { file_name: 'slow.wav' } });
    await page.goto(`/console/jobs/${cancelled}`);
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('The job was cancelled.').first().waitFor();
    await untilEnded(member, cancelled);
    await page.goto('/console/jobs/0193a5c0-0000-7000-8000-000000000000');
    await page.getByText('There is no job with this id in your account.').waitFor();
    await expectSound('job-unknown');
    await tab.close();
  });
});

describe('the page of a processing job', () => {
  it('leaves connections for other pages, also in six tabs', async () => {
    const { client } = await (await ConsoleAccount.open(service, 1000)).addUser();
    const jobId = await createUpload(client, silentWav(1), { metadata: { file_name: 'open.wav' } });
    const tab = await openJobs(client, VIEWS[2]);
    for (let tabs = 0; tabs < 6; tabs += 1) {
      const page = await tab.context.newPage();
      await page.goto(`/console/jobs/${jobId}`);
      await page.getByRole('heading', { level: 1, name: 'open.wav' }).waitFor();
    }
    await tab.page.goto('/console/keys');
    await tab.page.getByText('No key yet.').waitFor({ timeout: 5_000 });
    expect(await tab.page.evaluate('navigator.locks.query().then(({ held }) => held.length)')).toBe(2);
    await tab.close();
  });

  it('has no stream while its tab is hidden, and reads the job again when it is shown', async () => {
    const { client } = await (await ConsoleAccount.open(service, 1000)).addUser();
    const jobId = await createUpload(client, silentWav(1), { metadata: { file_name: 'open.wav' } });
    const tab = await openJobs(client, VIEWS[2]);
    const { page } = tab;
    const show = (isShown: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${String(!isShown)} });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    const countSlots = () => page.evaluate('navigator.locks.query().then(({ held }) => held.length)');
    await page.goto(`/console/jobs/${jobId}`);
    await tab.heading('open.wav').waitFor();
    await expect.poll(countSlots).toBe(1);
    await show(false);
    await expect.poll(countSlots).toBe(0);
    await client.request('POST', `jobs/${jobId}/cancel`);
    await untilEnded(client, jobId);
    await page.getByRole('button', { name: 'Cancel job' }).waitFor();
    await show(true);
    await page.getByText('The job was cancelled.').first().waitFor();
    await tab.close();
  });
});

it('the late answer to a deletion leads nobody away from another page', async () => {
  const account = await ConsoleAccount.open(service);
  const { client } = await account.addUser();
  await insertEndedJobs(service, account.id, 11);
  const tab = await openJobs(client, VIEWS[2]);
  const { page } = tab;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/console/api/jobs/*', async (route) => {
    if (route.request().method() === 'DELETE') await released;
    await route.continue();
  });
  await page.getByRole('link', { name: 'recording 10.mp3' }).click();
  await page.getByRole('button', { name: 'Delete job' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Delete job' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'All jobs' }).click();
  await page.getByLabel('Status', { exact: true }).selectOption('failed');
  await page.getByRole('link', { name: 'recording 1.mp3' }).waitFor({ state: 'detached' });
  release();
  await page.getByText('No job matches these filters.').waitFor();
  expect(new URL(page.url()).search).toContain('failed');
  await tab.close();
});

it('the history leads back to the place in the list', async () => {
  const account = await ConsoleAccount.open(service);
  const { client } = await account.addUser('viewer');
  await insertEndedJobs(service, account.id, 500);
  const tab = await openJobs(client, VIEWS[2]);
  const { page } = tab;
  const readScroll = () => page.evaluate<number>('scrollY');
  await page.getByRole('link', { name: 'recording 1.mp3' }).waitFor();
  await page.evaluate('scrollTo(0, 4_000)');
  const link = page.getByRole('link', { name: 'recording 90.mp3' });
  await link.waitFor();
  await link.scrollIntoViewIfNeeded();
  const before = await readScroll();
  expect(before).toBeGreaterThan(3_000);
  await link.click();
  await tab.heading('recording 90.mp3').waitFor();
  expect(await readScroll()).toBe(0);
  await page.goBack();
  await link.waitFor();
  expect(await readScroll()).toBe(before);
  await tab.close();
});

it('a list that lacks jobs is loaded again after a failed attempt', async () => {
  const account = await ConsoleAccount.open(service);
  const { client } = await account.addUser('viewer');
  await insertEndedJobs(service, account.id, 3);
  await service.query(`UPDATE job SET created_at = created_at - interval '1 day' WHERE account_id = $1`, [
    account.id,
  ]);
  const tab = await openJobs(client, VIEWS[2]);
  const { page } = tab;
  await page.getByText('3 jobs').waitFor();
  await page.route(/console\/api\/jobs\?limit=200/, (route) => route.fulfill({ status: 500 }), { times: 1 });
  // More than the newest page has, so that the whole list is needed.
  await insertEndedJobs(service, account.id, 60);
  const error = page.getByRole('alert').getByText('This could not be loaded');
  await error.waitFor();
  await page.getByText('63 jobs').waitFor();
  await expect.poll(() => error.count()).toBe(0);
  await tab.close();
});

it('a running job that somebody else deletes is shown as gone', async () => {
  const { client } = await (await ConsoleAccount.open(service, 1_000)).addUser('member');
  const jobId = await createUpload(client, silentWav(1));
  const tab = await browser.openAs(client, `/console/jobs/${jobId}`);
  const { page } = tab;
  await page.getByText('The recording is being received or split.').waitFor();
  expect((await client.request('DELETE', `jobs/${jobId}`)).status).toBe(204);
  await page.getByText('There is no job with this id in your account.').waitFor();
  expect(await page.getByText('The recording is being received or split.').count()).toBe(0);
  await tab.close();
});

it('a transcript can be opened after the finished job could not be loaded', async () => {
  const { client } = await (await ConsoleAccount.open(service, 1_000)).addUser('member');
  const jobId = await createUpload(client, silentWav(1));
  const tab = await browser.openAs(client, `/console/jobs/${jobId}/transcript`);
  const { page } = tab;
  await page.getByText('The job is not finished.').waitFor();
  const refuse = { status: 429, headers: { 'retry-after': '1' }, json: { detail: 'Too many requests.' } };
  await page.route(`**/console/api/jobs/${jobId}`, (route) => route.fulfill(refuse), { times: 1 });
  expect((await client.request('POST', 'upload/complete', { job_id: jobId })).status).toBe(200);
  await page.getByRole('alert').getByText('Too many attempts').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The job is not finished.').waitFor({ state: 'detached' });
  await tab.close();
});

it('a lost connection shows an error, and the list comes back with another try', async () => {
  const account = await ConsoleAccount.open(service);
  const { client } = await account.addUser('viewer');
  await insertEndedJobs(service, account.id, 3);
  const tab = await openJobs(client, VIEWS[0]);
  await tab.page.getByRole('link', { name: 'recording 3.mp3' }).waitFor();
  await tab.page.route('**/console/api/jobs/*', (route) => route.abort());
  await tab.page.getByRole('link', { name: 'recording 3.mp3' }).click();
  await tab.page.getByRole('button', { name: 'Try again' }).waitFor();
  await tab.page.unroute('**/console/api/jobs/*');
  await tab.page.getByRole('button', { name: 'Try again' }).click();
  await tab.heading('recording 3.mp3').waitFor();
  expect(await tab.page.getByRole('button', { name: 'Delete job' }).count()).toBe(0);
  await tab.close();
});
