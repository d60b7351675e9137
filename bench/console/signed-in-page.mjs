import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { builtProgramPath } from '../../scripts/lib/foreground.mjs';

const WINDOW = { width: 1280, height: 800 };
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

/** Debian's Chromium. @param {string} folder of its profile */
export function launchChromium(folder) {
  const env = { ...process.env, HOME: folder };
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS, env });
}

/**
 * Creates an owner of the account, and a function that opens pages in which this owner is signed in, each in a new profile.
 *
 * @param {import('playwright-core').Browser} browser @param {string} origin of the API
 * @param {import('../lib/programs.mjs').ProgramEnvironment & { accountId: string }} where
 * @returns {Promise<(path: string) => Promise<import('playwright-core').Page>>}
 */
export async function createPageOpenerOfOwner(browser, origin, { folder, databaseUrl, accountId }) {
  const command = [builtProgramPath('admin'), 'users', 'create', 'bench@example.org'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...command, '--account', accountId, '--role', 'owner', '--json'],
    { env: { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrl } },
  );
  const cookie = await signIn(origin, JSON.parse(stdout).link);
  return async (path) => {
    const context = await browser.newContext({ baseURL: origin, viewport: WINDOW, reducedMotion: 'reduce' });
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
}

/** @param {string} origin @param {string} link that signs in once */
async function signIn(origin, link) {
  const response = await fetch(`${origin}/console/api/sign-in/link`, {
    method: 'POST',
    headers: { origin, 'x-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('#')[1] }),
  });
  const [name, value] = response.headers.getSetCookie()[0]?.split(';', 1)[0]?.split('=', 2) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`The sign-in was answered with ${response.status}: ${await response.text()}`);
  const attributes = { path: '/', httpOnly: true, secure: true, sameSite: /** @type {const} */ ('Lax') };
  return { name, value, domain: new URL(origin).hostname, ...attributes };
}
