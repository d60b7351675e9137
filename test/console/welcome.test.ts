import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import { until } from '../e2e/support/until.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

async function openWelcome(role: string, view?: (typeof VIEWS)[number]): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser(role);
  const tab = await browser.openAs(client, '/console/', view);
  await tab.heading('Welcome').waitFor();
  return tab;
}

const readCode = ({ page }: Tab, language: string) =>
  page.getByRole('region', { name: `Code for ${language}` }).textContent();

describe.each(VIEWS)('at $name', (view) => {
  it('a member gets a key, a transcript of the sample, and code with the key', async () => {
    const tab = await openWelcome('member', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    await expectSound('welcome');
    expect(await readCode(tab, 'curl')).toContain('ZEPHYR_API_KEY');
    await page.getByText('It is shown once, when it is created').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('it is not shown again').waitFor();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    const answer = await fetch(`${service.baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    for (const language of ['curl', 'TypeScript', 'Python', 'OpenAI client']) {
      await page.getByRole('button', { name: language, exact: true }).click();
      expect(await readCode(tab, language)).toContain(key);
    }
    await tab.context.grantPermissions(['clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'Transcribe the sample' }).click();
    await page.getByText('The transcript is ready').waitFor({ timeout: PROCESSING_MS });
    await expectSound('welcome-done');
    await page.getByRole('link', { name: 'Open the transcript' }).click();
    await page.locator('[data-word="0"]').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await expectSound('welcome-transcript');
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await tab.close();
  });
});

describe('a user who came by a sign-in link', () => {
  it('is led to set a password until there is one', async () => {
    const { id } = await ConsoleAccount.open(service);
    const link = await new ConsoleUsers(service, id).create(`link-${randomUUID()}@example.org`);
    const tab = await browser.open();
    const { page } = tab;
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.heading('Welcome').waitFor();
    await page.getByText('you have no password yet').waitFor();
    expect(await tab.findProblems('welcome-without-password')).toEqual([]);
    await page.getByRole('link', { name: 'Set a password in your profile' }).click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByLabel('Current password', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Welcome' }).click();
    await tab.heading('Welcome').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    expect(await page.getByText('you have no password yet').count()).toBe(0);
    await tab.close();
  });
});

describe('the code', () => {
  it('is not offered to a viewer, who reads what the role may do', async () => {
    const tab = await openWelcome('viewer');
    await tab.page.getByText('Your role can read jobs').waitFor();
    expect(await tab.page.getByRole('main').textContent()).not.toMatch(/first steps|your program|a key/i);
    expect(await tab.page.getByRole('button', { name: /Create a key|Transcribe/ }).count()).toBe(0);
    expect(await tab.findProblems('welcome-viewer')).toEqual([]);
    await tab.page.getByRole('link', { name: 'Jobs, with their transcripts' }).click();
    await tab.page.getByText('There are no jobs yet.').waitFor();
    expect(await tab.page.getByText('Transcribe a recording here').count()).toBe(0);
    await tab.close();
  });

  it('is in the language that was chosen last, on every page and in the same order', async () => {
    const tab = await openWelcome('owner');
    const { page } = tab;
    const languages = page.getByRole('group', { name: 'Language' }).getByRole('button');
    expect(await languages.allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'OpenAI client']);
    await page.getByRole('button', { name: 'Python', exact: true }).click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await tab.heading('Webhooks').waitFor();
    await page.getByRole('region', { name: 'Code for Python' }).waitFor();
    expect(await languages.allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'Go']);
    await page.getByRole('button', { name: 'TypeScript', exact: true }).click();
    await page.goto('/console/transcribe');
    await page.getByText('The same request as code').click();
    await page.getByRole('region', { name: 'Code for TypeScript' }).waitFor();
    expect(await languages.allTextContents()).toEqual(['curl', 'TypeScript', 'Python']);
    await tab.close();
  });
});

describe('audio that the browser keeps', () => {
  const countFiles = ({ page }: Tab) =>
    page.evaluate<number>(`new Promise((resolve) => {
      const opening = indexedDB.open('uploads', 1);
      opening.onupgradeneeded = () => opening.transaction.abort();
      opening.onerror = () => resolve(0);
      opening.onsuccess = () => {
        const counting = opening.result.transaction('files').objectStore('files').count();
        counting.onsuccess = () => { opening.result.close(); resolve(counting.result); };
      };
    })`);

  async function openWithAudio(): Promise<Tab> {
    const tab = await openWelcome('member');
    await tab.page.getByRole('button', { name: 'Transcribe the sample' }).click();
    await until('the sample is kept', async () => (await countFiles(tab)) > 0);
    return tab;
  }

  it('is deleted at the next start without a session, and stays at one with it', async () => {
    const tab = await openWithAudio();
    await tab.page.goto('/console/jobs');
    await tab.heading('Jobs').waitFor();
    expect(await countFiles(tab)).toBe(1);
    await tab.context.clearCookies();
    await tab.page.goto('/console/');
    await tab.heading('Sign in').waitFor();
    await until('the audio is deleted', async () => (await countFiles(tab)) === 0);
    await tab.close();
  });

  it('is deleted when another user has signed in', async () => {
    const tab = await openWithAudio();
    const { email } = await (await ConsoleAccount.open(service)).addUser();
    await tab.page.goto('/console/sign-in');
    await tab.signIn(email, PASSWORD);
    await tab.untilSignedIn();
    await until('the audio is deleted', async () => (await countFiles(tab)) === 0);
    await tab.close();
  });
});
