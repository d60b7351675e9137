import { readFile } from 'node:fs/promises';
import { loadConfig } from '@app/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_REJECTED_CODES_PER_DAY } from '../../libs/auth/src/people/factors/rejected-codes.repository.js';
import { MAX_SESSIONS_PER_USER } from '../../libs/auth/src/people/sessions/sessions.js';
import { CONSOLE_ROUTES } from '../e2e/support/console-routes.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const { sessions } = loadConfig({});
let page: string;

beforeAll(async () => {
  page = await readFile(new URL('../../docs/people.md', import.meta.url), 'utf8');
});

/** With its text in one line. @param heading without `##` */
function readSection(heading: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '').replaceAll(/\s+/g, ' ');
}

describe('the page of people and sign-in', () => {
  it('names the limits on attempts, their settings and who is kept out', () => {
    const section = readSection('Guessing');
    expect(section).toContain(`\`SIGN_IN_ATTEMPTS_PER_ADDRESS\`, ${sessions.attemptsPerAddress}`);
    expect(section).toMatch(/per user \(mail address\), also one that does not exist \| 10 of each kind /);
    for (const text of [
      'TRUSTED_PROXIES',
      '429',
      '503',
      'lock nobody out for longer than a minute',
      `${MAX_REJECTED_CODES_PER_DAY} wrong ones in a day`,
    ])
      expect(section).toContain(text);
    expect(section).toContain('passkeys, links and sign-ins through the provider still work');
  });

  it('names the words that a password must not consist of', () => {
    const section = readSection('Passwords');
    for (const text of ['name of the user', 'parts of the mail address and its domain', '`zephyr`'])
      expect(section).toContain(text);
  });

  it('names every way to sign in', () => {
    const section = readSection('A sign-in');
    const paths = CONSOLE_ROUTES.filter(({ access }) => access === 'anyone').map(({ path }) => path);
    const names: Record<string, string> = {
      'sign-in': 'password',
      'sign-in/link': 'sign-in link',
      'sign-in/oidc': 'OIDC provider',
      'sign-in/passkey': 'passkey',
      'sign-in/second-factor': 'recovery code',
      'invitation/accept': 'Accepting an invitation',
    };
    /** They lead to no session of their own. */
    const others = [
      'command-line/poll',
      'command-line/start',
      'invitation/preview',
      'sign-in/forgot-password',
      'sign-in/methods',
      'sign-in/oidc/callback',
      'sign-in/passkey/options',
      'sign-in/set-password',
      'sign-out',
    ];
    expect(paths.toSorted()).toEqual([...Object.keys(names), ...others].toSorted());
    for (const name of Object.values(names)) expect(section).toContain(name);
    expect(readSection('A sign-in of the command line')).toContain('command-line/start');
  });

  it('names the periods and the number of sessions', () => {
    const section = readSection('Sessions');
    expect(section).toContain(`${sessions.idleSeconds / HOUR_SECONDS} hours without a request`);
    expect(section).toContain(`${sessions.lifetimeSeconds / DAY_SECONDS} days`);
    expect(section).toContain('NIST SP 800-63B');
    expect(section).toContain(`up to ${MAX_SESSIONS_PER_USER} sessions`);
    expect(section).toContain('ends the one that was used longest ago');
  });

  it('says how sessions here and at the provider end', () => {
    const section = readSection('Sessions');
    expect(section).toContain('Sessions here and at an OpenID Connect provider are independent');
    expect(section).toContain('users disable');
  });

  it('says which fields need more than the route', () => {
    const section = readSection('Roles');
    expect(section).toContain('viewers see URLs of webhook receivers without the values of their queries');
    expect(section).toContain('deliveries without requests and responses');
  });
});
