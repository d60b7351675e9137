import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser as Chromium, type BrowserContext, chromium, type Page } from 'playwright-core';

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
];

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
}

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

  async close(): Promise<void> {
    await this.program.close();
    await rm(this.temporaryFolder, { recursive: true, force: true });
  }
}

export class Tab {
  private readonly problems: string[] = [];

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
      await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    }
    const overflow = await this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    return [
      ...(overflow > 0 ? [`The page is ${overflow} pixels wider than the window.`] : []),
      ...(await this.findAxeViolations()),
      ...this.problems,
    ];
  }

  /** Through the debugger, because the policy of the page runs no script of others. */
  private async findAxeViolations(): Promise<string[]> {
    const session = await this.context.newCDPSession(this.page);
    try {
      await session.send('Runtime.evaluate', { expression: axe.source });
      const run = `axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)} })`;
      const { result } = await session.send('Runtime.evaluate', {
        expression: run,
        awaitPromise: true,
        returnByValue: true,
      });
      return (result.value as AxeResult).violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join('; ')}`,
      );
    } finally {
      await session.detach();
    }
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('Mail address').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
