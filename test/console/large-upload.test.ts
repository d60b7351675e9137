import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

/** `LARGE_UPLOAD_BYTES=2147483648` measures 2 GB, which takes a minute. */
const BYTES = Number(process.env['LARGE_UPLOAD_BYTES'] ?? 512 * 2 ** 20);
const MAX_TAB_MEGABYTES = 200;
const UPLOAD_MS = 600_000;

const service = getSharedService();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-large-'));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

describe(`an upload of ${Math.round(BYTES / 2 ** 20)} MiB`, () => {
  it(
    `holds less than ${MAX_TAB_MEGABYTES} MB in the tab`,
    async () => {
      const path = join(folder, 'large.wav');
      const file = await open(path, 'w');
      await file.truncate(BYTES);
      await file.close();
      const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
      const tab = await browser.openAs(client, '/console/transcribe');
      const { page } = tab;
      await tab.heading('Transcribe').waitFor();
      await page.getByLabel('Choose files').setInputFiles(path);
      const completed = page.waitForResponse('**/upload/multipart/complete', { timeout: UPLOAD_MS });
      await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
      const peak = await browser.measureTabMemory(async () => expect((await completed).status()).toBe(200));
      console.log(`memory of the tab at most: ${peak.toFixed(0)} MB`);
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(MAX_TAB_MEGABYTES);
      await tab.close();
    },
    UPLOAD_MS,
  );
});
