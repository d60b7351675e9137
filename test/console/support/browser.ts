import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser as Chromium,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { measureTabMemory } from '../../../bench/console/tab-memory.mjs';
import type { ConsoleClient } from '../../e2e/support/console-client.js';
import { until } from '../../e2e/support/until.js';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No request to anything but the service. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps, which every page may use.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
}

const MAX_TABS = 100;

/** Dialogs, the player of a transcript, lists that render what the window shows, and the API reference, which is too high. */
const WINDOW_PARTS = 'dialog[open], section[aria-label=Player], [role=grid], #reference';

export const VIEWS = [
  { name: '360-light', width: 360, height: 740, colorScheme: 'light' },
  { name: '360-dark', width: 360, height: 740, colorScheme: 'dark' },
  { name: '1280-light', width: 1280, height: 800, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, height: 800, colorScheme: 'dark' },
] as const;

/** Debian's Chromium. */
export class Browser {
  private constructor(
    private readonly program: Chromium,
    private readonly baseUrl: string,
    private readonly temporaryFolder: string,
  ) {}

  static async launch(baseUrl: string): Promise<Browser> {
    const folder = await mkdtemp(join(tmpdir(), 'console-'));
    const options = {
      executablePath: '/usr/bin/chromium',
      args: FLAGS,
      env: { ...process.env, HOME: folder },
    };
    return new Browser(
      await chromium.launch(options as Parameters<typeof chromium.launch>[0]),
      baseUrl,
      folder,
    );
  }

  /** A new profile without cookies. A page fails the test that made it break its own policy or throw. */
  async open(view: (typeof VIEWS)[number] = VIEWS[2]): Promise<Tab> {
    const { width, height, colorScheme } = view;
    const context = await this.program.newContext({
      baseURL: this.baseUrl,
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(15_000);
    return new Tab(context, await context.newPage());
  }

  /** A new profile in which the session of the client is signed in, at the page. */
  async openAs(client: ConsoleClient, path: string, view?: (typeof VIEWS)[number]): Promise<Tab> {
    const tab = await this.open(view);
    await this.addSession(tab, client);
    await tab.page.goto(path);
    return tab;
  }

  /** For a tab that is prepared before its first page. */
  async addSession({ context }: Tab, client: ConsoleClient): Promise<void> {
    const [name, value] = client.cookie?.split('=', 2) ?? [];
    if (name === undefined || value === undefined) throw new Error('The client is not signed in.');
    const { hostname } = new URL(this.baseUrl);
    // `__Host-` demands the attributes that the service sets.
    const secure = name.startsWith('__Host-');
    const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
    await context.addCookies([{ name, value, domain: hostname, ...attributes }]);
  }

  /** In megabytes, of the only open tab during an action. */
  measureTabMemory(action: () => Promise<void>): Promise<number> {
    return measureTabMemory(this.program, action);
  }

  async close(): Promise<void> {
    await this.program.close();
    await rm(this.temporaryFolder, { recursive: true, force: true });
  }
}

export class Tab {
  private readonly problems: string[] = [];
  private session: Promise<CDPSession> | undefined;

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.problems.push(message.text());
    });
  }

  heading(name: string) {
    return this.page.getByRole('heading', { level: 1, name, exact: true });
  }

  /** Findings of axe, sideways scrolling, and errors of the page, its policy included. Keeps a picture if wanted. */
  async findProblems(name: string): Promise<string[]> {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '') {
      await mkdir(folder, { recursive: true });
      await this.untilHeightIsStable();
      // What keeps its place in the window would be drawn in the middle of a picture of the whole page, over what is there.
      const fullPage = (await this.page.locator(WINDOW_PARTS).count()) === 0;
      await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage });
    }
    const overflow = await this.measureOverflow();
    return [
      ...(overflow > 0 ? [`The page is ${overflow} pixels wider than the window.`] : []),
      ...(await this.findAxeViolations()),
      ...this.problems,
    ];
  }

  /** Pixels by which the page is wider than its window. */
  measureOverflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  }

  private async untilHeightIsStable(): Promise<void> {
    let last = -1;
    await until('the page keeps its height', async () => {
      const before = last;
      last = await this.page.evaluate<number>(
        `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.documentElement.scrollHeight))))`,
      );
      return last === before;
    });
  }

  /** Through the debugger, because the policy of the page runs no script of others. */
  private async findAxeViolations(): Promise<string[]> {
    const session = await this.openDebugger();
    const loaded = await session.send('Runtime.evaluate', { expression: `'axe' in globalThis` });
    if (loaded.result.value !== true) await session.send('Runtime.evaluate', { expression: axe.source });
    // Details of what passes would cost as much time as the search.
    const run = `axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)}, resultTypes: ['violations'] })`;
    const { result } = await session.send('Runtime.evaluate', {
      expression: run,
      awaitPromise: true,
      returnByValue: true,
    });
    return (result.value as AxeResult).violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join('; ')}`,
    );
  }

  /** One session for all uses: a session that is detached also ends what others enabled, such as authenticators. */
  openDebugger(): Promise<CDPSession> {
    this.session ??= this.context.newCDPSession(this.page);
    return this.session;
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('Mail address').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Whatever the start page is. */
  async untilSignedIn(): Promise<void> {
    await this.page.getByRole('button', { name: /^Your menu/ }).waitFor();
  }

  /** Presses Tab until the element has the focus, as somebody without a mouse does. */
  async tabTo(element: Locator): Promise<void> {
    await element.waitFor();
    for (let presses = 0; presses < MAX_TABS; presses += 1) {
      if (await hasFocus(element)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`${String(element)} cannot be reached with Tab.`);
  }

  /** A menu moves the focus some time after it is shown. */
  async untilFocused(element: Locator): Promise<void> {
    await until('the element has the focus', () => hasFocus(element));
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === node.ownerDocument.activeElement);
}
