import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';
import {
  CREATE,
  holdSecondPart,
  OBJECTS,
  readStoredStates,
  send,
  THREE_PARTS_SECONDS,
  untilSecondPart,
} from './support/uploads.js';

const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;
/** Paths. Playwright would send the bytes of a buffer to the browser as text. */
let large: string;
let other: string;
let small: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-uploads-'));
  const bytes = silentWav(THREE_PARTS_SECONDS);
  large = await writeRecording('large', bytes);
  other = await writeRecording('other', bytes.fill(1, 5_000_000, 5_000_100));
  small = await writeRecording('small', silentWav(2));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The files have the same name, in different folders. */
async function writeRecording(name: string, bytes: Uint8Array): Promise<string> {
  await mkdir(join(folder, name));
  const path = join(folder, name, 'silence.wav');
  await writeFile(path, bytes);
  return path;
}

async function openTranscribe(credits = 10_000): Promise<Tab & { email: string }> {
  const { client, email } = await (await ConsoleAccount.open(service, credits)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  await tab.heading('Transcribe').waitFor();
  return Object.assign(tab, { email });
}

describe('an upload', () => {
  it('goes on after the tab was loaded again, without sending a part twice', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await page.getByText('Sending', { exact: false }).first().waitFor();
    expect(await tab.findProblems('upload-sending')).toEqual([]);
    await page.reload();
    stopHolding();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(parts).toHaveLength(4);
    await tab.close();
  });

  it('can be paused and resumed, and needs its file again if the browser has no copy', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    // Without room in its storage the browser makes no copy.
    await page.evaluate(`navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })`);
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await page.getByRole('button', { name: 'Pause: silence.wav' }).click();
    await page.getByText(/^Paused/).waitFor();
    await tab.untilFocused(page.getByRole('button', { name: 'Resume: silence.wav' }));
    expect(await page.getByRole('status').filter({ hasText: 'silence.wav' }).innerText()).toBe(
      'silence.wav: Paused',
    );
    await page.reload();
    await page.getByText(/^Paused/).waitFor();
    stopHolding();
    await page.getByRole('button', { name: 'Resume: silence.wav' }).click();
    await page.getByRole('alert').getByText('The browser has no copy of this file.').waitFor();
    expect(await tab.findProblems('upload-file-missing')).toEqual([]);
    const input = page.getByLabel('Choose the file again: silence.wav');
    await input.setInputFiles(other);
    await page.getByText('This is another file').waitFor();
    expect(parts).toHaveLength(2);
    await input.setInputFiles(large);
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    await tab.close();
  });

  it('goes on where it was when the session ends in the middle', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await tab.context.clearCookies();
    stopHolding();
    await page.getByText('Your session has ended').waitFor();
    await tab.signIn(tab.email, PASSWORD);
    await tab.heading('Transcribe').waitFor();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(parts).toHaveLength(3);
    await tab.close();
  });

  it('goes on when a part arrives after the page was left because the session had ended', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await tab.context.clearCookies();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByText('Your session has ended').waitFor();
    stopHolding();
    // All parts are there, and its completion waits for the session.
    await expect.poll(() => readStoredStates(page), { timeout: PROCESSING_MS }).toEqual(['waiting 3']);
    await tab.signIn(tab.email, PASSWORD);
    await tab.heading('Transcribe').waitFor();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(parts).toHaveLength(3);
    await tab.close();
  });

  it('is cancelled after a question, and the focus stays in the list', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    const cancel = page.getByRole('button', { name: 'Cancel upload: silence.wav' });
    const question = page.getByRole('dialog', { name: 'Cancel this upload?' });
    await cancel.click();
    expect(await tab.findProblems('upload-cancel')).toEqual([]);
    await question.getByRole('button', { name: 'Keep it' }).click();
    await tab.untilFocused(cancel);
    await cancel.click();
    await question.getByRole('button', { name: 'Cancel upload' }).click();
    await page.getByText('Nothing has been sent').waitFor();
    await tab.untilFocused(page.getByText('Nothing has been sent').locator('..'));
    stopHolding();
    await tab.close();
  });

  it('says when the connection is lost, and goes on by itself', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    let isLost = true;
    await page.route(OBJECTS, (route) => (isLost ? route.abort('connectionreset') : route.continue()));
    await send(tab, small);
    await page
      .getByText(/The server for uploads cannot be reached. Another attempt in \d+ seconds?\./)
      .waitFor();
    expect(await tab.findProblems('upload-retry')).toEqual([]);
    isLost = false;
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    await tab.close();
  });

  it('without credit says why the service refused it, and leads to billing', async () => {
    const tab = await openTranscribe(0);
    const { page } = tab;
    // The banner of the account, which is on every page.
    await page.getByText('The account has no credits left: no jobs can be created.').waitFor();
    await send(tab, small);
    const upload = page.getByRole('listitem').filter({ hasText: 'silence.wav' });
    await upload.getByRole('alert').getByText('The account has no credit left. Top up').waitFor();
    await upload.getByRole('link', { name: 'Usage and billing' }).waitFor();
    await upload.getByRole('button', { name: 'Try again: silence.wav' }).waitFor();
    expect(await page.getByText('no jobs can be created').count()).toBe(1);
    expect(await tab.findProblems('upload-no-credit')).toEqual([]);
    await tab.close();
  });

  it('of a file that is too large is refused with the reason', async () => {
    const tab = await openTranscribe();
    const problem = { code: 'file_too_large', detail: 'file_size is 9; a multipart upload takes 8 bytes.' };
    await tab.page.route(CREATE, (route) => route.fulfill({ status: 413, json: problem }));
    await send(tab, small);
    await tab.page.getByText(problem.detail).waitFor();
    expect(await tab.page.getByRole('button', { name: 'Try again: silence.wav' }).count()).toBe(0);
    await tab.close();
  });

  it.each([429, 503])('is repeated with the same key after %i', async (status) => {
    const tab = await openTranscribe();
    const keys: (string | undefined)[] = [];
    await tab.page.route(CREATE, (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      const json = { code: 'busy', detail: 'Not now.' };
      return route.fulfill({ status, headers: { 'retry-after': '2' }, json });
    });
    await send(tab, small);
    await tab.page.getByText(/Not now\. Another attempt in [12] seconds?\./).waitFor();
    await tab.page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    await tab.close();
  });
});
