import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { until } from '../e2e/support/until.js';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { CONSOLE_PAGES, type ConsolePage, type PageForm, preparePages } from './support/console-pages.js';
import { getSharedService } from './support/shared-service.js';

/** What answers the requests of a page. */
type Answer = 'through' | 503 | 429;

/** Ways that end with another attempt of the same page, and what people read. */
const FAILURES = [
  { name: 'busy', answer: 503, title: 'The service is busy', text: 'Try again in 7 seconds.' },
  { name: 'limited', answer: 429, title: 'Too many attempts', text: 'Try again in 9 seconds.' },
  { name: 'offline', answer: 'through', title: 'No connection', text: 'The service cannot be reached.' },
] as const;
const OFFLINE_BAR = 'You are offline. What you see may be out of date.';
/** More sign-ins of one user within a minute are refused. */
const SIGN_INS_OF_A_USER = 5;
const TIMEOUT_MS = 240_000;
/** Four windows share the processors. */
const STEP_MS = 60_000;

const FORMS_BEFORE_SIGN_IN: readonly (PageForm & { path: string })[] = [
  {
    path: 'sign-in',
    fields: { 'Mail address': 'olivia@example.org', Password: PASSWORD },
    submit: 'Sign in',
  },
  { path: 'forgot-password', fields: { 'Mail address': 'olivia@example.org' }, submit: 'Send the link' },
  { path: 'set-password#any-token', fields: { 'New password': PASSWORD }, submit: 'Set password' },
  { path: 'invitation', fields: { 'Your name': 'Olivia', 'New password': PASSWORD }, submit: 'Join' },
];

/** A window of one of the views. Its router shows the pages, so that none of them is loaded anew. */
interface View {
  name: string;
  tab: Tab;
  answer: Answer;
  users: ConsoleUser[];
  signIns: number;
}

const service = getSharedService();
let browser: Browser;
let views: View[];
let owner: ConsoleUser;
let toPath: (page: ConsolePage) => string;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  const account = await ConsoleAccount.open(service, 10_000);
  owner = await account.addUser();
  toPath = await preparePages(owner.client);
  views = await Promise.all(VIEWS.map((view) => openView(account, view)));
});

afterAll(async () => {
  await browser?.close();
});

async function openView(account: ConsoleAccount, view: (typeof VIEWS)[number]): Promise<View> {
  const users = await Promise.all(Array.from({ length: 5 }, () => account.addUser()));
  const tab = await browser.open(view);
  const opened: View = { name: view.name, tab, answer: 'through', users, signIns: 0 };
  await prepareTab(opened);
  return opened;
}

/** Signs in, at a page that loads no data, and answers as the view says from now on. */
async function prepareTab(view: View): Promise<void> {
  const { tab } = view;
  tab.context.setDefaultTimeout(STEP_MS);
  await tab.page.goto('/console/command-line');
  await signIn(view);
  await tab.heading('Sign in the command line').waitFor();
  await tab.page.route('**/console/api/**', (route) => {
    if (view.answer === 'through') return route.continue();
    const body = { code: 'any', detail: 'Too many requests.', request_id: 'request-1' };
    const headers = { 'retry-after': view.answer === 503 ? '7' : '9' };
    return route.fulfill({ status: view.answer, headers, json: body });
  });
}

async function signIn(view: View): Promise<void> {
  const user = view.users[Math.floor(view.signIns / SIGN_INS_OF_A_USER)];
  if (!user) throw new Error('More sign-ins need more users.');
  view.signIns += 1;
  await view.tab.signIn(user.email, PASSWORD);
}

/** By the router of the open page, as links do. */
async function show({ tab }: View, path: string): Promise<void> {
  await tab.page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console/${path}`)})`);
}

/** The first text may be that of a closed list. */
async function untilLoaded({ tab }: View, { loaded }: ConsolePage): Promise<void> {
  if (loaded !== null) await tab.page.getByText(loaded).filter({ visible: true }).first().waitFor();
}

async function setFailure(view: View, failure: (typeof FAILURES)[number] | null): Promise<void> {
  view.answer = failure?.answer ?? 'through';
  await view.tab.context.setOffline(failure?.name === 'offline');
}

/** axe takes a second: each width and each colour scheme once. */
const VIEWS_FOR_AXE: readonly string[] = ['360-dark', '1280-light'];

async function expectSound(view: View, what: string): Promise<void> {
  const { name, tab } = view;
  if (!VIEWS_FOR_AXE.includes(name)) return expectNoOverflow(view, what);
  expect(await tab.findProblems(`failed-requests-${what}-${name}`), `${what} at ${name}`).toEqual([]);
}

async function expectNoOverflow({ name, tab }: View, what: string): Promise<void> {
  expect(await tab.measureOverflow(), `${what} at ${name}`).toBeLessThanOrEqual(0);
}

const alertOf = (part: Locator, { title, text }: (typeof FAILURES)[number]) =>
  part.getByRole('alert').filter({ hasText: title }).filter({ hasText: text }).first();

/** Each failure in turn in place of the data, which comes back with the connection, without a click. */
async function expectDataToFailAndRecover(view: View, shown: ConsolePage): Promise<void> {
  const { page } = view.tab;
  const bar = page.getByText(OFFLINE_BAR);
  for (const failure of FAILURES) {
    await setFailure(view, failure);
    if (failure === FAILURES[0]) await show(view, toPath(shown));
    else
      await page.evaluate(
        `for (const button of document.querySelectorAll('[role=alert] button')) button.click()`,
      );
    await alertOf(page.getByRole('main'), failure).waitFor();
    expect(await bar.count(), `${shown.name}, ${failure.name} at ${view.name}`).toBe(
      failure.name === 'offline' ? 1 : 0,
    );
    if (failure.name === 'limited') await expectNoOverflow(view, shown.name);
    else await expectSound(view, `${shown.name}-${failure.name}`);
  }
  await setFailure(view, null);
  await untilLoaded(view, shown);
  expect(await bar.count()).toBe(0);
}

/** Each failure in turn when the form is sent: the reason is shown, and what was entered stays. */
async function expectFormToFailAndKeepItsInput(view: View, { name, form }: ConsolePage): Promise<void> {
  if (!form) return;
  const { page } = view.tab;
  if (form.opens !== undefined)
    await page.getByRole('button', { name: form.opens, exact: true }).first().click();
  const part =
    form.opens === undefined || form.isInPage === true ? page.getByRole('main') : page.getByRole('dialog');
  const fields = Object.entries(form.fields).map(
    ([label, value]) => [part.getByLabel(label, { exact: true }), value] as const,
  );
  for (const [field, value] of fields) await field.fill(value);
  for (const failure of FAILURES) {
    await setFailure(view, failure);
    await part.getByRole('button', { name: form.submit, exact: true }).last().click();
    await alertOf(part, failure).waitFor();
    for (const [field, value] of fields)
      expect(await field.inputValue(), `${name}, ${failure.name} at ${view.name}`).toBe(value);
    await expectNoOverflow(view, `the form of ${name}`);
  }
  await expectSound(view, `${name}-form`);
  await setFailure(view, null);
  if (form.opens !== undefined) await part.getByRole('button', { name: 'Cancel', exact: true }).click();
}

/** The tab gets the focus after its session has ended: it asks for a sign-in, which leads to the same page. */
async function expectExpiredSessionToReturn(view: View, shown: ConsolePage): Promise<void> {
  const { tab } = view;
  const { page } = tab;
  const { name, heading, loaded, form } = shown;
  await tab.context.clearCookies();
  // A page without data asks for nothing before its form is sent.
  const submit = JSON.stringify(form?.submit ?? '');
  const ask =
    loaded === null
      ? `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === ${submit})?.click()`
      : `dispatchEvent(new Event('visibilitychange'))`;
  // A request that was sent before the session ended may still be answered, and another one waits for its answer.
  await until('a sign-in is asked for', async () => {
    await page.evaluate(ask);
    return page.getByText('Your session has ended. Sign in to go on where you were.').isVisible();
  });
  await expectNoOverflow(view, `the sign-in after ${name}`);
  await signIn(view);
  await tab.heading(heading).waitFor();
  await untilLoaded(view, shown);
}

/** In all views at a time. One that failed begins anew, so that the next page does not fail for its reason. */
async function inEveryView(check: (view: View) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(views.map(check));
  const failed = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ view: views[index], reason: result.reason as unknown }] : [],
  );
  for (const { view } of failed) {
    if (!view) continue;
    const options = VIEWS.find(({ name }) => name === view.name);
    await view.tab.close();
    Object.assign(view, { tab: await browser.open(options), answer: 'through' });
    await prepareTab(view);
  }
  if (failed[0]) throw failed[0].reason;
}

describe('a busy service, too many requests, a lost connection and an ended session, at every width and colour scheme', () => {
  it.each(CONSOLE_PAGES)(
    'are shown by the page $name, which keeps what was entered and recovers',
    async (shown) => {
      await inEveryView(async (view) => {
        if (shown.loaded === null) {
          await show(view, toPath(shown));
          await view.tab.heading(shown.heading).waitFor();
        } else await expectDataToFailAndRecover(view, shown);
        await expectFormToFailAndKeepItsInput(view, shown);
        await expectExpiredSessionToReturn(view, shown);
      });
    },
    TIMEOUT_MS,
  );

  it.each(FORMS_BEFORE_SIGN_IN)(
    'are shown by the page $path, which keeps what was entered',
    async ({ path, ...form }) => {
      const email = 'guest@example.org';
      const { body } = await owner.client.request('POST', 'invitations', { email, role: 'viewer' });
      await inEveryView(async (view) => {
        await view.tab.context.clearCookies();
        await view.tab.page.goto(path === 'invitation' ? String(body['link']) : `/console/${path}`);
        await view.tab.page.getByRole('button', { name: form.submit, exact: true }).waitFor();
        const name = path.replace(/#.*/, '');
        await expectFormToFailAndKeepItsInput(view, { ...{ name, path, heading: name, loaded: null }, form });
      });
    },
    TIMEOUT_MS,
  );

  it('includes a page that was not opened before the connection was lost', async () => {
    const tab = await browser.openAs(owner.client, '/console/profile', VIEWS[0]);
    const { page } = tab;
    await until('the other pages are loaded', () =>
      page.evaluate<boolean>(
        `performance.getEntriesByType('resource').some(({ name }) => /\\/assets\\/audit-[^/]+\\.js$/.test(name))`,
      ),
    );
    await tab.context.setOffline(true);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await tab.heading('Audit log').waitFor();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await tab.context.setOffline(false);
    await page.getByTitle('key.created').first().waitFor();
    await tab.close();
  });
});
