import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LARGE_JOB, openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const JOB = `**/console/api/jobs/${LARGE_JOB.job_id}`;
const TRANSCRIPT = 'Transcript of long.wav';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

async function openTranscript(view?: (typeof VIEWS)[number]): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/settings', view);
  await openLargeTranscript(tab.page, 140, Buffer.from(silentWav(10)));
  return tab;
}

/** By the keyboard: while an opened editor scrolls into view, the link moves away from the pointer. */
const openMembers = ({ page }: Tab) => page.getByRole('link', { name: 'Members' }).press('Enter');
const askedBy = ({ page }: Tab) => page.getByRole('dialog', { name: 'Leave without saving?' });

describe('before a page is left', () => {
  it.each(VIEWS)('a correction that could not be saved is asked about, at $name', async (view) => {
    const tab = await openTranscript(view);
    const { page } = tab;
    await page.route(`${JOB}/corrections/0`, (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).click();
    await openMembersAndBack(tab);
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).click();
    const field = page.getByLabel('Corrected text');
    await field.fill('Good evening.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await openMembers(tab);
    await askedBy(tab).waitFor();
    expect(await tab.findProblems(`unsaved-input-${view.name}`)).toEqual([]);
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    await askedBy(tab).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Good evening.');
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Leave', exact: true }).click();
    await tab.heading('Members').waitFor();
    expect(await askedBy(tab).count()).toBe(0);
    await tab.close();
  });

  it('a correction that is being saved is asked about, and no more when it is saved', async () => {
    const tab = await openTranscript();
    const { page } = tab;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`${JOB}/corrections/0`, async (route) => {
      await held;
      await route.fulfill({ status: 204 });
    });
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).click();
    await page.getByLabel('Corrected text').fill('Good evening.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Good evening.').filter({ visible: true }).waitFor();
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    const saved = page.waitForResponse(/\/corrections\/0$/);
    answer();
    await saved;
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).waitFor();
    await openMembers(tab);
    await tab.heading('Members').waitFor();
    expect(await askedBy(tab).count()).toBe(0);
    await tab.close();
  });

  it('names of speakers that are being saved are asked about', async () => {
    const tab = await openTranscript();
    const { page } = tab;
    await page.route(`${JOB}/speakers`, () => {});
    await page.getByRole('button', { name: 'Name speakers' }).click();
    await page.getByRole('dialog').getByLabel('Speaker 1').fill('Ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ada' }).first().waitFor();
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Leave', exact: true }).click();
    await tab.heading('Members').waitFor();
    expect(await askedBy(tab).count()).toBe(0);
    await tab.close();
  });

  it('terms of a vocabulary are asked about, by the browser as well', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/members');
    const { page } = tab;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Add a vocabulary' }).click();
    const terms = page.getByRole('dialog').getByLabel('Terms');
    await terms.fill('Ada Lovelace');
    await page.goBack();
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    expect(await terms.inputValue()).toBe('Ada Lovelace');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    await tab.close();
  });
});

it('terms of a vocabulary stay when the window is looked at again', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  await client.request('POST', 'vocabularies', { name: 'Names', terms: ['Ada'] });
  const tab = await browser.openAs(client, '/console/settings');
  const { page } = tab;
  await page.getByRole('button', { name: 'Change: Names' }).click();
  const terms = page.getByRole('dialog').getByLabel('Terms');
  await terms.fill('Ada\nGrace');
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor();
  expect(await terms.inputValue()).toBe('Ada\nGrace');
  await tab.close();
});

describe('before the page Transcribe is left', () => {
  it('files and terms that were not sent are asked about, and no more when they are sent', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await page.getByLabel('Terms', { exact: true }).fill('Ada Lovelace');
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Terms', { exact: true }).inputValue()).toBe('Ada Lovelace');
    await page.getByLabel('Terms', { exact: true }).fill('');
    const file = { name: 'talk.wav', mimeType: 'audio/wav', buffer: Buffer.from(silentWav(1)) };
    await page.locator('input[type=file]').setInputFiles(file);
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Terms', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
    await page.getByText('talk.wav', { exact: true }).waitFor();
    await openMembers(tab);
    await tab.heading('Members').waitFor();
    expect(await askedBy(tab).count()).toBe(0);
    await tab.close();
  });

  it('a recording is asked about while it is made and until it is sent', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await page.evaluate(USE_TONE_AS_MICROPHONE);
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByText('Recording, 0:01').waitFor();
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: 'Transcribe 1 file' }).waitFor();
    await openMembers(tab);
    await askedBy(tab).getByRole('button', { name: 'Leave', exact: true }).click();
    await tab.heading('Members').waitFor();
    expect(await askedBy(tab).count()).toBe(0);
    await tab.close();
  });

  it('input is asked about before the user signs out or switches the account', async () => {
    const user = await (await ConsoleAccount.open(service)).addUser();
    const second = await service.openAccount(0);
    await ConsoleAccount.of(service, second.account_id).addMember(user, 'owner');
    const tab = await browser.openAs(user.client, '/console/transcribe');
    const { page } = tab;
    const terms = page.getByLabel('Terms', { exact: true });
    await terms.fill('harbour');
    const signOut = async () => {
      await page.getByRole('button', { name: /^Your menu/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { checked: false }).click();
    await askedBy(tab).getByRole('button', { name: 'Stay' }).click();
    expect(await terms.inputValue()).toBe('harbour');
    expect((await user.client.request('GET', 'session')).body).not.toMatchObject({
      account: { id: second.account_id },
    });
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { checked: false }).click();
    await askedBy(tab).getByRole('button', { name: 'Leave', exact: true }).click();
    await tab.heading('Welcome').waitFor();
    await signOut();
    await tab.heading('Sign in').waitFor();
    await tab.close();
  });

  it('the microphone stays off if the page is left while the browser asks for permission', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await page.evaluate(USE_TONE_AS_MICROPHONE);
    await page.evaluate(`{
      const open = navigator.mediaDevices.getUserMedia;
      globalThis.asked = 0;
      navigator.mediaDevices.getUserMedia = async () => {
        globalThis.asked += 1;
        await new Promise((resolve) => (globalThis.allow = resolve));
        return (globalThis.stream = await open());
      };
    }`);
    const record = page.getByRole('button', { name: 'Record' });
    await record.dblclick();
    await expect.poll(() => record.getAttribute('aria-busy')).toBe('true');
    expect(await page.evaluate('asked')).toBe(1);
    await openMembers(tab);
    await tab.heading('Members').waitFor();
    await page.evaluate('allow()');
    await expect.poll(() => page.evaluate('globalThis.stream?.getTracks()[0].readyState')).toBe('ended');
    await tab.close();
  });
});

const USE_TONE_AS_MICROPHONE = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext();
  const [tone, microphone] = [context.createOscillator(), context.createMediaStreamDestination()];
  tone.connect(microphone);
  tone.start();
  await context.resume();
  return microphone.stream;
}`;

async function openTranscribe(): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  return browser.openAs(client, '/console/transcribe');
}

/** An open field with nothing changed is no reason to ask. */
async function openMembersAndBack(tab: Tab): Promise<void> {
  await openMembers(tab);
  await tab.heading('Members').waitFor();
  await tab.page.goBack();
  await tab.heading(TRANSCRIPT).waitFor();
}
