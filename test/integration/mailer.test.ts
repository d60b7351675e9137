import { Mailer } from '@app/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SmtpServer } from '../support/smtp-server.js';

const mail = { to: 'vera@example.org', subject: 'Link', text: 'https://speech.example.org/#token' };
let smtp: SmtpServer;
let mailer: Mailer;

beforeEach(async () => {
  smtp = await SmtpServer.start();
  mailer = new Mailer({ smtpUrl: smtp.url, from: 'speech@example.org' });
});
afterEach(() => smtp.stop());

const waitForMail = () => vi.waitFor(() => expect(smtp.mails).toHaveLength(1));

describe('a mail', () => {
  it('is sent when the server confirms it, however late', async () => {
    smtp.behaviour = 'slow';
    const result = mailer.send(mail);
    await waitForMail();
    // Longer than a request waits.
    expect(await mailer.sendWithinRequest(mail)).toBe('unknown');
    smtp.confirmSlowMails();
    expect(await result).toBe('sent');
  }, 20_000);

  it.each(['refuse', 'silent'] as const)(
    'fails at a server that would %s',
    async (behaviour) => {
      smtp.behaviour = behaviour;
      expect(await mailer.sendWithinRequest(mail)).toBe('failed');
      expect(await mailer.send(mail)).toBe('failed');
    },
    20_000,
  );

  it('fails at a server that does not answer to the sign-in while a request waits', async () => {
    smtp.behaviour = 'silent-at-sign-in';
    const signedIn = new Mailer({ smtpUrl: smtp.url.replace('//', '//user:secret@'), from: 'a@example.org' });
    expect(await signedIn.sendWithinRequest(mail)).toBe('failed');
  }, 20_000);

  it('fails if the program stops before the server accepts the recipient', async () => {
    smtp.behaviour = 'silent-at-recipient';
    const stop = new AbortController();
    const result = mailer.send(mail, stop.signal);
    await vi.waitFor(() => expect(smtp.recipients).toBe(1));
    stop.abort();
    expect(await result).toBe('failed');
  });

  it('fails where nothing listens', async () => {
    await smtp.stop();
    expect(await mailer.sendWithinRequest(mail)).toBe('failed');
    smtp = await SmtpServer.start();
  });

  it.each([
    ['its server breaks the connection', () => smtp.breakConnections()],
    ['the program stops', (stop: AbortController) => stop.abort()],
  ])('that was handed over may have been sent when %s', async (_, end) => {
    smtp.behaviour = 'slow';
    const stop = new AbortController();
    const result = mailer.send(mail, stop.signal);
    await waitForMail();
    end(stop);
    expect(await result).toBe('unknown');
  });
});
