import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PART_BYTES = 5 * 2 ** 20;
/** Three such parts. */
const LARGE_SECONDS = 400;
const PROCESSING_MS = 90_000;
const OBJECTS = '**/objects/**';
const CREATE = '**/console/api/upload/multipart/create';

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
  const bytes = silentWav(LARGE_SECONDS);
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

async function send({ page }: Tab, path: string): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(path);
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
}

/** Asks for small parts, lets the first one pass and holds the second one. @returns the numbers of the parts that were requested */
async function holdSecondPart({ page }: Tab) {
  const parts: number[] = [];
  let isHolding = true;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  // The service plans parts of 16 MiB otherwise, which take long to hold and send on.
  await page.route(CREATE, (route) => {
    const body = route.request().postDataJSON() as object;
    return route.continue({ postData: JSON.stringify({ ...body, part_size: PART_BYTES }) });
  });
  await page.route(OBJECTS, async (route) => {
    const part = Number(/[?&]partNumber=(\d+)/i.exec(route.request().url())?.[1] ?? Number.NaN);
    parts.push(part);
    if (isHolding && parts.length > 1) await released;
    // The page may be gone meanwhile.
    await route.continue().catch(() => undefined);
  });
  return {
    parts,
    stopHolding: () => {
      isHolding = false;
      release();
    },
  };
}

/** State and number of sent parts of each upload that the browser has. */
const readStoredStates = (page: Tab['page']) =>
  page.evaluate<string[]>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('uploads', 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
      const reading = opening.result.transaction('uploads').objectStore('uploads').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.map(({ state, parts }) => state + ' ' + parts.length));
      };
    };
  })`);

/** Items of all stores. */
const countStored = (page: Tab['page']) =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('uploads', 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
      const names = [...opening.result.objectStoreNames];
      const transaction = opening.result.transaction(names);
      const countings = names.map((name) => transaction.objectStore(name).count());
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(countings.reduce((sum, { result }) => sum + result, 0));
      };
    };
  })`);

/** An upload that is paused after its first part, when the session and all tabs end. */
async function leavePausedUpload(tab: Tab): Promise<() => void> {
  const { page } = tab;
  const { parts, stopHolding } = await holdSecondPart(tab);
  await send(tab, large);
  await untilSecondPart(parts);
  await page.getByRole('button', { name: 'Pause: silence.wav' }).click();
  await expect.poll(() => readStoredStates(page)).toEqual(['paused 1']);
  await tab.context.clearCookies();
  await page.goto('/console/transcribe');
  await tab.heading('Sign in').waitFor();
  return stopHolding;
}

/** The first one is sent through the test, which takes long on a busy machine. */
const untilSecondPart = (parts: readonly number[]) =>
  expect.poll(() => parts.length, { timeout: PROCESSING_MS }).toBe(2);

describe('an upload', () => {
  it('goes on when the tab is loaded again with another page', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await page.goto('/console/jobs');
    await tab.heading('Jobs').waitFor();
    stopHolding();
    await expect.poll(() => readStoredStates(page), { timeout: PROCESSING_MS }).toEqual(['sent 3']);
    expect(parts).toHaveLength(4);
    await tab.close();
  });

  it('whose file the browser has no copy of is asked about before the tab is loaded again', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await page.evaluate(`navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })`);
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, large);
    await untilSecondPart(parts);
    await page.getByRole('link', { name: 'Members' }).click();
    await tab.heading('Members').waitFor();
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    stopHolding();
    await tab.close();
  });

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

  it('that is paused waits for its user when the browser was closed', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const stopHolding = await leavePausedUpload(tab);
    await tab.signIn(tab.email, PASSWORD);
    await tab.heading('Transcribe').waitFor();
    stopHolding();
    await page.getByRole('button', { name: 'Resume: silence.wav' }).click();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    await tab.close();
  });

  it('that is paused is deleted when another user signs in', async () => {
    const tab = await openTranscribe();
    const { email } = await (await ConsoleAccount.open(service)).addUser();
    const stopHolding = await leavePausedUpload(tab);
    await tab.signIn(email, PASSWORD);
    await tab.untilSignedIn();
    await expect.poll(() => readStoredStates(tab.page)).toEqual([]);
    stopHolding();
    await tab.close();
  });

  it('is forgotten with its audio when its job is deleted', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await send(tab, small);
    await page.getByRole('link', { name: 'Open the transcript' }).waitFor({ timeout: PROCESSING_MS });
    await expect.poll(() => countStored(page)).toBe(3);
    await page.getByRole('link', { name: 'Open the job' }).click();
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
    await tab.heading('Jobs').waitFor();
    await expect.poll(() => countStored(page)).toBe(0);
    await page.getByRole('link', { name: 'Transcribe', exact: true }).click();
    await page.getByText('Nothing has been sent').waitFor();
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
