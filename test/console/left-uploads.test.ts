import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';
import {
  countStored,
  holdSecondPart,
  readStoredStates,
  send,
  THREE_PARTS_SECONDS,
  untilSecondPart,
} from './support/uploads.js';

const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let folder: string;
/** A path. Playwright would send the bytes of a buffer to the browser as text. */
let recording: string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-left-uploads-'));
  recording = join(folder, 'silence.wav');
  await writeFile(recording, silentWav(THREE_PARTS_SECONDS));
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function openTranscribe(): Promise<Tab & { email: string }> {
  const { client, email } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  await tab.heading('Transcribe').waitFor();
  return Object.assign(tab, { email });
}

/** An upload that is paused after its first part, when the session and all tabs end. */
async function leavePausedUpload(tab: Tab): Promise<() => void> {
  const { page } = tab;
  const { parts, stopHolding } = await holdSecondPart(tab);
  await send(tab, recording);
  await untilSecondPart(parts);
  await page.getByRole('button', { name: 'Pause: silence.wav' }).click();
  await expect.poll(() => readStoredStates(page)).toEqual(['paused 1']);
  await tab.context.clearCookies();
  await page.goto('/console/transcribe');
  await tab.heading('Sign in').waitFor();
  return stopHolding;
}

describe('an upload', () => {
  it('goes on when the tab is loaded again with another page', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const { parts, stopHolding } = await holdSecondPart(tab);
    await send(tab, recording);
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
    await send(tab, recording);
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

  it('that is paused waits for its user when the browser was closed', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    const stopHolding = await leavePausedUpload(tab);
    await tab.signIn(tab.email, PASSWORD);
    await tab.heading('Transcribe').waitFor();
    stopHolding();
    await page.getByRole('button', { name: 'Resume: silence.wav' }).click();
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    expect(await readStoredStates(page)).toEqual(['sent 3']);
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
    await send(tab, recording);
    await page.getByRole('link', { name: 'Open the transcript' }).waitFor({ timeout: PROCESSING_MS });
    await expect.poll(() => countStored(page)).toBe(3);
    await page.getByRole('link', { name: 'Open the job' }).click();
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
    await tab.heading('Jobs').waitFor();
    await expect.poll(() => countStored(page)).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Transcribe' }).click();
    await page.getByText('Nothing has been sent').waitFor();
    await tab.close();
  });
});

it('recordings of a page that another tab replaces, by a switch of the account, wait in the list', async () => {
  const first = await ConsoleAccount.open(service, 10_000);
  const second = await ConsoleAccount.open(service);
  const user = await first.addUser();
  await second.addMember(user, 'owner');
  const tab = await browser.openAs(user.client, '/console/transcribe');
  const { page } = tab;
  const other = await tab.context.newPage();
  await other.goto('/console/jobs');
  const switchTo = (accountId: string) =>
    other.evaluate<number>(
      `fetch('api/session/account', { method: 'PUT', headers: { 'x-console': '1', 'content-type': 'application/json' },
         body: '${JSON.stringify({ account_id: accountId })}' }).then(({ status }) => status)`,
    );
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording, 0:01').waitFor();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByRole('button', { name: 'Transcribe 1 file' }).waitFor();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording, 0:01').waitFor();
  expect(await switchTo(second.id)).toBe(204);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await tab.heading('This tab shows another account').waitFor();
  expect(await switchTo(first.id)).toBe(204);
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Transcribe' }).click();
  const resume = page.getByRole('button', { name: /^Resume: recording / });
  await expect.poll(() => resume.count()).toBe(2);
  await resume.first().click();
  await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
  await tab.close();
});
