import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmtpServer } from '../support/smtp-server.js';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { Service } from './support/service.js';

const NEW_PASSWORD = 'copper meadow 77';
/** More than a mail server without an answer may cost a request. */
const SLOW_MS = 10_000;

let smtp: SmtpServer;
let service: Service;
let owner: ConsoleClient;

beforeAll(async () => {
  smtp = await SmtpServer.start();
  service = await Service.start({ SMTP_URL: smtp.url, SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  const users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  owner = await users.createWithPassword('owner@example.org');
});
afterAll(async () => {
  await service?.stop();
  await smtp?.stop();
});
beforeEach(() => {
  smtp.behaviour = 'accept';
  smtp.mails.length = 0;
});
/** Of the mails of all tests. */
const mailedTokens: string[] = [];
const collectMailedTokens = () => mailedTokens.push(...smtp.mails.map(({ text }) => tokenIn(text)));
afterEach(() => void collectMailedTokens());

const invite = (email: string) => owner.request('POST', 'invitations', { email, role: 'member' });
const forget = (email: string) =>
  new ConsoleClient(service).request('POST', 'sign-in/forgot-password', { email });
const tokenIn = (text: string) => /#([\w-]{43})\b/.exec(text)?.[1] ?? '';

describe('mail', () => {
  it('an invitation is mailed to the invited address, and only there', async () => {
    const invited = await invite('invited@example.org');
    expect(invited).toMatchObject({ status: 200, body: { mail: 'sent', link: null } });
    expect(smtp.mails).toMatchObject([
      { from: 'zephyr@127.0.0.1', to: ['invited@example.org'], subject: 'Invitation to an organisation' },
    ]);
    const browser = new ConsoleClient(service);
    const accept = { token: tokenIn(smtp.mails[0]?.text ?? ''), name: 'Invited', password: PASSWORD };
    expect((await browser.request('POST', 'invitation/accept', accept)).status).toBe(200);
    const proved = `SELECT address_proved FROM app_user WHERE email = 'invited@example.org'`;
    expect(await service.query(proved), 'whose password a provider leaves').toEqual([
      { address_proved: true },
    ]);
  });

  it.each(['refuse', 'silent'] as const)(
    'to a mail server that would %s leaves an invitation with a link that is shown',
    async (behaviour) => {
      smtp.behaviour = behaviour;
      const start = Date.now();
      const { status, body } = await invite(`${behaviour}@example.org`);
      expect({ status, mail: body.mail }).toEqual({ status: 200, mail: 'failed' });
      expect(Date.now() - start).toBeLessThan(SLOW_MS);
      const preview = { token: tokenIn(String(body.link)) };
      expect((await new ConsoleClient(service).request('POST', 'invitation/preview', preview)).status).toBe(
        200,
      );
    },
  );

  it('that its server has not confirmed in time leaves the links valid that it may deliver', async () => {
    smtp.behaviour = 'slow';
    expect(await invite('slow@example.org')).toMatchObject({
      status: 200,
      body: { mail: 'unknown', link: null },
    });
    const proved = `SELECT is_mailed FROM invitation WHERE email = 'slow@example.org'`;
    expect(await service.query(proved)).toEqual([{ is_mailed: true }]);
    const preview = { token: tokenIn(smtp.mails[0]?.text ?? '') };
    expect((await new ConsoleClient(service).request('POST', 'invitation/preview', preview)).status).toBe(
      200,
    );
    smtp.confirmSlowMails();
  });

  it('a forgotten password is set by a mailed link, once; an unknown address gets the same answer and no mail', async () => {
    expect((await forget('nobody@example.org')).status).toBe(204);
    expect((await forget('Owner@example.org')).status).toBe(204);
    await expect.poll(() => smtp.mails.map(({ to }) => to)).toEqual([['owner@example.org']]);
    const body = { token: tokenIn(smtp.mails[0]?.text ?? ''), password: NEW_PASSWORD };
    const browser = new ConsoleClient(service);
    expect((await browser.request('POST', 'sign-in/set-password', body)).status).toBe(204);
    expect((await browser.request('POST', 'sign-in/set-password', body)).status).toBe(401);
    expect((await owner.request('GET', 'session')).status).toBe(401);
    await owner.request('POST', 'sign-in', { email: 'owner@example.org', password: NEW_PASSWORD });
    expect((await owner.request('GET', 'session')).status).toBe(200);
  });

  it('forgotten passwords are limited per address of mail', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await forget('often@example.org')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
  });

  it('to one user has at most five open links, however many are asked for', async () => {
    await invite('flooded@example.org');
    const accept = { token: tokenIn(smtp.mails[0]?.text ?? ''), name: 'Flooded', password: PASSWORD };
    await new ConsoleClient(service).request('POST', 'invitation/accept', accept);
    collectMailedTokens();
    smtp.mails.length = 0;
    for (let count = 0; count < 8; count += 1) expect((await forget('flooded@example.org')).status).toBe(204);
    const countMailsTo = (email: string) => smtp.mails.filter(({ to }) => to[0] === email).length;
    await expect.poll(() => countMailsTo('flooded@example.org')).toBe(5);
    // When the mail of a later request has come, none of those before is on its way.
    await forget('owner@example.org');
    await expect.poll(() => countMailsTo('owner@example.org')).toBe(1);
    expect(countMailsTo('flooded@example.org')).toBe(5);
  });

  it('no token and no password is in the log', async () => {
    const log = await service.log();
    // Of at least an invitation, a forgotten password and five links of one user.
    expect(mailedTokens.length).toBeGreaterThanOrEqual(7);
    for (const token of mailedTokens) {
      expect(token).toHaveLength(43);
      expect(log).not.toContain(token);
    }
    for (const secret of [PASSWORD, NEW_PASSWORD]) expect(log).not.toContain(secret);
    expect(log).toContain('a mail could not be sent');
    expect(log).not.toMatch(/#[\w-]{43}/);
  });
});
