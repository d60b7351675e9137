import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { createUpload } from '../e2e/support/console-jobs.js';
import { computeTotp, enableSecondFactor } from '../e2e/support/totp.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PAGE = 'A second factor is needed';
const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-factors-'));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A member with an app, whose session has one factor, as after a sign-in through a provider. */
async function openPage(path: string) {
  const account = await ConsoleAccount.open(service, 10_000);
  const { email, client } = await account.addUser('member');
  const { secret } = await enableSecondFactor(client);
  await service.query(
    `UPDATE user_session SET two_factors = false FROM app_user
     WHERE app_user.id = user_session.user_id AND email = $1`,
    [email],
  );
  const tab = await browser.openAs(client, path);
  const require = () =>
    service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [account.id]);
  return { account, client, tab, secret, require };
}

async function enterCode({ page }: Tab, secret: string): Promise<void> {
  // The step of the present code was used when the app was set up.
  await page.getByLabel('Code', { exact: true }).fill(computeTotp(secret, Date.now() + 30_000));
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('an account that begins to require two factors', () => {
  it('ends the live events of an open page, which go on after the second factor', async () => {
    const { client, tab, secret, require } = await openPage('/console/jobs');
    const { page } = tab;
    const jobId = await createUpload(client, silentWav(1), {
      metadata: { file_name: 'open.wav' },
    });
    const isStream = (url: string) => url.endsWith('/stream');
    const streamed = page.waitForResponse((response) => isStream(response.url()) && response.ok());
    await page.goto(`/console/jobs/${jobId}`);
    await tab.heading('open.wav').waitFor();
    await streamed;
    await require();
    await tab.heading(PAGE).waitFor();
    expect(await page.getByText('open.wav').count(), 'what the account had').toBe(0);
    const again = page.waitForResponse((response) => isStream(response.url()) && response.ok());
    await enterCode(tab, secret);
    await tab.heading('open.wav').waitFor();
    await again;
    expect((await client.request('POST', `jobs/${jobId}/cancel`)).status).toBe(401);
    await tab.close();
  });

  it('interrupts an upload, which goes on after the second factor without sending a part twice', async () => {
    const file = join(folder, 'meeting.wav');
    await writeFile(file, silentWav(2));
    const { tab, secret, require } = await openPage('/console/transcribe');
    const { page } = tab;
    let parts = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/objects/**', async (route) => {
      parts += 1;
      await released;
      await route.continue();
    });
    await tab.heading('Transcribe').waitFor();
    await page.getByLabel('Choose files').setInputFiles(file);
    await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
    await expect.poll(() => parts).toBe(1);
    await require();
    release();
    await tab.heading(PAGE).waitFor();
    await enterCode(tab, secret);
    await tab.heading('Transcribe').waitFor();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(parts).toBe(1);
    await tab.close();
  });
});
