import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { createUpload } from '../e2e/support/console-jobs.js';
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

it('nothing is sent before the options of the earlier job are there', async () => {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const jobId = await createUpload(client, silentWav(1), { output_type: 'srt' });
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/console/api/jobs/${jobId}`, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/console/transcribe?from=${jobId}`);
  await page.getByLabel('Choose files').setInputFiles({
    name: 'again.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(silentWav(1)),
  });
  const start = page.getByRole('button', { name: 'Transcribe 1 file' });
  await expect.poll(() => start.getAttribute('aria-busy')).toBe('true');
  expect(await page.getByLabel('Format of the stored transcript').count()).toBe(0);
  expect(await tab.findProblems('transcribe-options-loading')).toEqual([]);
  release();
  await page.getByText('These are the options of an earlier job.').waitFor();
  const created = page.waitForRequest('**/upload/multipart/create');
  await start.click();
  expect((await created).postDataJSON()).toMatchObject({ output_type: 'srt' });
  await tab.close();
});
