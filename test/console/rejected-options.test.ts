import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PROCESSING_MS = 90_000;
const TALK = { name: 'talk.wav', mimeType: 'audio/wav', buffer: Buffer.from(silentWav(2)) };
const EMPTY = { name: 'empty.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) };

const service = getSharedService();
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  tab = await browser.openAs(client, '/console/transcribe');
});

afterEach(() => tab.close());

const send = async () => {
  await tab.page.getByLabel('Choose files').setInputFiles(TALK);
  await tab.page.getByRole('button', { name: 'Transcribe 1 file' }).click();
};

it('a rejected option is named and marked as the form names it, and the file is sent again without being chosen', async () => {
  const { page } = tab;
  const count = page.getByLabel('Number of speakers');
  const upload = page.getByRole('listitem').filter({ hasText: 'talk.wav' });
  await count.fill('999');
  await page.getByLabel('Callback URL').fill('ftp://example.org');
  await send();
  await upload.getByRole('alert').getByText('The number of speakers must be').waitFor();
  const message = await upload.getByRole('alert').innerText();
  expect(message).toContain('The callback URL must be');
  expect(message).not.toMatch(/[a-z]_[a-z]/);
  expect(await count.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Callback URL').getAttribute('aria-invalid')).toBe('true');
  await tab.untilFocused(count);
  expect(await tab.findProblems('rejected-options')).toEqual([]);
  await count.fill('2');
  expect(await count.getAttribute('aria-invalid')).toBe(null);
  await page.getByLabel('Callback URL').fill('');
  await upload.getByRole('button', { name: 'Try again: talk.wav' }).click();
  await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
  expect(await page.getByText('talk.wav', { exact: true }).count()).toBe(1);
});

it('two lines of metadata with one name are marked, and nothing is sent', async () => {
  const { page } = tab;
  const metadata = page.getByLabel('Metadata');
  await metadata.fill('speaker=Ada\nspeaker=Grace');
  await send();
  await page.getByText('The metadata has the name “speaker” on two lines.').waitFor();
  await tab.untilFocused(metadata);
  expect(await page.getByText('Nothing has been sent').count()).toBe(1);
  await metadata.fill('speaker=Ada');
  expect(await metadata.getAttribute('aria-invalid')).toBe(null);
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
  await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
});

it('an address that is entered while another one is sent stays', async () => {
  const { page } = tab;
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/console/api/upload', async (route) => {
    await held;
    await route.fulfill({ json: { job_id: '0193a5c0-0000-7000-8000-000000000000' } });
  });
  const address = page.getByLabel('Address of the audio');
  await address.fill('https://example.org/first.mp3');
  await page.getByRole('button', { name: 'Transcribe the address' }).click();
  await address.fill('https://example.org/second.mp3');
  answer();
  await page.getByRole('heading', { name: 'https://example.org/first.mp3' }).waitFor();
  expect(await address.inputValue()).toBe('https://example.org/second.mp3');
});

it('the error of an address goes when the address is changed', async () => {
  const { page } = tab;
  const address = page.getByLabel('Address of the audio');
  await address.fill('ftp://example.org/talk.mp3');
  await page.getByRole('button', { name: 'Transcribe the address' }).click();
  await page.getByText(/^The address must/).waitFor();
  await address.fill('');
  await page.getByText(/^The address must/).waitFor({ state: 'detached' });
  expect(await address.getAttribute('aria-invalid')).toBe(null);
});

it('what is said about empty files goes when the others are sent', async () => {
  const { page } = tab;
  await page.getByLabel('Choose files').setInputFiles([EMPTY, TALK]);
  await page.getByText('Empty, so not added: empty.wav').waitFor();
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
  await expect.poll(() => page.getByText('Empty, so not added: empty.wav').count()).toBe(0);
});

it('what is said about a member goes when another address is entered', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Members' }).click();
  const own = await page
    .getByRole('cell', { name: /owner-/ })
    .first()
    .innerText();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Mail address').fill(/owner-\S+@example.org/.exec(own)?.[0] ?? '');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Mail address').fill('ada@example.org');
  await expect.poll(() => dialog.getByRole('alert').count()).toBe(0);
});
