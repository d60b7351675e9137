import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LARGE_JOB, openLargeTranscript } from '../../bench/console/large-transcript.mjs';
import { silentWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const JOB = `**/console/api/jobs/${LARGE_JOB.job_id}`;
const TRANSCRIPT = 'Transcript of long.wav';
const EDIT = 'Correct the text at 0:00';
const ENDED = 'Your session has ended. Sign in to go on where you were.';

const service = getSharedService();
let browser: Browser;
let account: ConsoleAccount;
let email: string;
let tab: Tab;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  account = await ConsoleAccount.open(service);
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(() => open());

afterEach(() => tab.close());

async function open(view?: (typeof VIEWS)[number]): Promise<void> {
  const user = await account.addUser();
  email = user.email;
  tab = await browser.openAs(user.client, '/console/settings', view);
  await openLargeTranscript(tab.page, 140, Buffer.from(silentWav(10)));
}

const row = () => tab.page.locator('[data-segment="0"]');
const field = () => row().getByLabel('Corrected text');
const save = () => row().getByRole('button', { name: 'Save', exact: true }).click();

/** The corrections as the service has them, which a test may change as another member does. */
async function serveCorrections(saved: Map<number, string>): Promise<{ sent: unknown[] }> {
  const sent: unknown[] = [];
  await tab.page.route(`${JOB}/corrections`, (route) =>
    route.fulfill({ json: { corrections: [...saved].map(([segment, text]) => ({ segment, text })) } }),
  );
  await tab.page.route(`${JOB}/corrections/0`, async (route: Route) => {
    const body = route.request().postDataJSON() as { text: string | null; replaces: string | null };
    sent.push(body);
    if (body.replaces !== (saved.get(0) ?? null)) {
      const detail = 'Somebody else has corrected this segment meanwhile.';
      return route.fulfill({ status: 409, json: { code: 'correction_changed', detail } });
    }
    if (body.text === null) saved.delete(0);
    else saved.set(0, body.text);
    return route.fulfill({ status: 204 });
  });
  return { sent };
}

describe('a correction', () => {
  it('without text is not saved, and the field says why', async () => {
    const { sent } = await serveCorrections(new Map());
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('  ');
    await save();
    await row().getByText('The text must not be empty.').waitFor();
    await tab.untilFocused(field());
    expect(sent).toEqual([]);
    await field().fill('Good evening.');
    expect(await row().getByText('The text must not be empty.').count()).toBe(0);
    await save();
    await row().getByText('Corrected', { exact: true }).waitFor();
    await tab.untilFocused(row().getByRole('button', { name: EDIT }));
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('');
    await save();
    await row().getByText('Choose “Use the original” to remove the correction.').waitFor();
    await row().getByRole('button', { name: 'Use the original' }).click();
    await row().getByText('Corrected', { exact: true }).waitFor({ state: 'detached' });
    expect(sent).toEqual([
      { text: 'Good evening.', replaces: null },
      { text: null, replaces: 'Good evening.' },
    ]);
  });

  it.each(['Escape', 'Cancel'])('is not discarded by %s without a question', async (how) => {
    const question = tab.page.getByRole('dialog', { name: 'Discard what you typed?' });
    const cancel = row().getByRole('button', { name: 'Cancel' });
    const close = () => (how === 'Escape' ? field().press('Escape') : cancel.click());
    await row().getByRole('button', { name: EDIT }).click();
    await close();
    await field().waitFor({ state: 'detached' });
    await tab.untilFocused(row().getByRole('button', { name: EDIT }));
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('Good evening.');
    await close();
    await question.getByRole('button', { name: 'Go on writing' }).click();
    await tab.untilFocused(how === 'Escape' ? field() : cancel);
    expect(await field().inputValue()).toBe('Good evening.');
    await close();
    await question.getByRole('button', { name: 'Discard' }).click();
    await field().waitFor({ state: 'detached' });
    await tab.untilFocused(row().getByRole('button', { name: EDIT }));
    expect(await row().getByText('Corrected', { exact: true }).count()).toBe(0);
  });
});

it('a search goes on at the last match that a correction has left', async () => {
  await serveCorrections(new Map());
  const correct = async (text: string) => {
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill(text);
    await save();
    await field().waitFor({ state: 'detached' });
  };
  await correct('zebra and zebra');
  const search = tab.page.getByLabel('Search in the transcript');
  await search.fill('zebra');
  await tab.page.getByText('1 of 2').waitFor();
  await search.press('Enter');
  await tab.page.getByText('2 of 2').waitFor();
  await correct('zebra');
  await tab.page.getByText('1 of 1').waitFor();
  expect(await tab.findProblems('search-after-correction')).toEqual([]);
});

it('the page does not follow the audio while a passage is corrected', async () => {
  const { page } = tab;
  const passFrames = (count: number) =>
    page.evaluate(
      `(async () => { for (let frames = 0; frames < ${count}; frames += 1) await new Promise(requestAnimationFrame); })()`,
    );
  // So low that the passages below are not in view.
  await page.setViewportSize({ width: 1_280, height: 300 });
  await row().getByRole('button', { name: EDIT }).click();
  await tab.untilFocused(field());
  // The row scrolls itself into the window for some frames after it has got its field.
  await passFrames(30);
  const before = await page.evaluate<number>('scrollY');
  await page.evaluate(`(async (audio) => {
    audio.muted = true;
    await audio.play();
    const seeked = new Promise((resolve) => audio.addEventListener('seeked', resolve, { once: true }));
    audio.currentTime = 9;
    await seeked;
  })(document.querySelector('audio'))`);
  await passFrames(5);
  expect(await page.evaluate('scrollY')).toBe(before);
});

describe('a segment that another member corrects meanwhile', () => {
  it.each(VIEWS)('shows both texts, and mine is saved if I choose it, at $name', async (view) => {
    await tab.close();
    await open(view);
    const saved = new Map<number, string>();
    const { sent } = await serveCorrections(saved);
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('Good evening.');
    saved.set(0, 'Good night.');
    await save();
    await row().getByRole('alert').getByText('Good night.').waitFor();
    expect(await field().inputValue()).toBe('Good evening.');
    expect(saved.get(0)).toBe('Good night.');
    expect(await tab.findProblems(`correction-changed-${view.name}`)).toEqual([]);
    await row().getByRole('button', { name: 'Save mine' }).click();
    await row().getByText('Corrected', { exact: true }).waitFor();
    expect(saved.get(0)).toBe('Good evening.');
    expect(sent).toEqual([
      { text: 'Good evening.', replaces: null },
      { text: 'Good evening.', replaces: 'Good night.' },
    ]);
  });

  it('keeps theirs if I choose it', async () => {
    const saved = new Map<number, string>();
    await serveCorrections(saved);
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('Good evening.');
    saved.set(0, 'Good night.');
    await save();
    await row().getByRole('button', { name: 'Keep theirs' }).click();
    await row().getByText('Good night.').waitFor();
    expect(saved.get(0)).toBe('Good night.');
  });
});

describe('a session that ends while a correction is typed', () => {
  beforeEach(async () => {
    await serveCorrections(new Map());
    await row().getByRole('button', { name: EDIT }).click();
    await field().fill('Good evening.');
    await tab.context.clearCookies();
    // As when the window is looked at again.
    await tab.page.unroute(`${JOB}/corrections/0`);
    await save();
    await tab.page.getByText(ENDED).waitFor();
  });

  it('keeps the text for the sign-in in the same tab', async () => {
    await tab.signIn(email, PASSWORD);
    await tab.heading(TRANSCRIPT).waitFor();
    await field().waitFor();
    expect(await field().inputValue()).toBe('Good evening.');
    await serveCorrections(new Map());
    await save();
    await row().getByText('Corrected', { exact: true }).waitFor();
    await tab.page.reload();
    await row().getByRole('button', { name: EDIT }).waitFor();
    expect(await field().count()).toBe(0);
  });

  it('keeps the text for one field: the next one has what was saved', async () => {
    const edit = () => row().getByRole('button', { name: EDIT });
    await tab.signIn(email, PASSWORD);
    await field().waitFor();
    await serveCorrections(new Map());
    await save();
    await edit().click();
    await field().fill('Good night.');
    await save();
    await row().getByText('Good night.').waitFor();
    await edit().click();
    expect(await field().inputValue()).toBe('Good night.');
    expect(await row().getByRole('alert').count()).toBe(0);
  });

  it('keeps no text that was discarded', async () => {
    await tab.signIn(email, PASSWORD);
    await field().press('Escape');
    const question = tab.page.getByRole('dialog', { name: 'Discard what you typed?' });
    await question.getByRole('button', { name: 'Discard' }).click();
    await row().getByRole('button', { name: EDIT }).click();
    expect(await field().inputValue()).not.toBe('Good evening.');
    await field().press('Escape');
    await field().waitFor({ state: 'detached' });
  });

  it('keeps it for nobody else', async () => {
    const other = await account.addUser('member');
    await tab.signIn(other.email, PASSWORD);
    await tab.heading(TRANSCRIPT).waitFor();
    await row().getByRole('button', { name: EDIT }).waitFor();
    expect(await field().count()).toBe(0);
    expect(await tab.page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Good evening.');
  });
});

it('a correction that is typed while another tab switches the account is there after the switch back', async () => {
  const { page } = tab;
  const other = await ConsoleAccount.open(service);
  await other.addMember({ email }, 'owner');
  await serveCorrections(new Map());
  await row().getByRole('button', { name: EDIT }).click();
  await field().fill('Good evening.');
  const transcript = page.url();
  const switchTo = (accountId: string) =>
    page.evaluate<number>(
      `fetch('api/session/account', { method: 'PUT', headers: { 'x-console': '1', 'content-type': 'application/json' },
         body: '${JSON.stringify({ account_id: accountId })}' }).then(({ status }) => status)`,
    );
  expect(await switchTo(other.id)).toBe(204);
  await page.unroute(`${JOB}/corrections/0`);
  await save();
  await tab.heading('This tab shows another account').waitFor();
  expect(await switchTo(account.id)).toBe(204);
  await page.goto(transcript);
  await tab.heading(TRANSCRIPT).waitFor();
  await field().waitFor();
  expect(await field().inputValue()).toBe('Good evening.');
});
