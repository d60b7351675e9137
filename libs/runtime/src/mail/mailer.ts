import { PassThrough } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import pTimeout from 'p-timeout';

export interface MailerOptions {
  smtpUrl: string;
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * `failed`: nobody has the mail, because the server was not reached or refused it. `unknown`: the server did not
 * confirm in time what it may have taken.
 */
export type MailResult = 'sent' | 'failed' | 'unknown' | 'not_configured';

/** From the look-up of the host to the greeting and TLS. */
const CONNECTION_TIMEOUT_MS = 4_000;
/** Longer than the connection may take, so that a request learns that the server was not reached. */
const REQUEST_WAIT_MS = 5_000;
/** Servers look up senders and scan mails before they confirm them. */
const DIALOGUE_TIMEOUT_MS = 120_000;

/** Sends plain text through the operator's mail server, over one connection each. */
export class Mailer {
  private readonly logger = new Logger(Mailer.name);

  /** @param options null: nothing is sent */
  constructor(private readonly options: MailerOptions | null) {}

  get isConfigured(): boolean {
    return this.options !== null;
  }

  /**
   * Waits for the confirmation of the server, up to two minutes. Never throws: a failure is logged without recipient
   * and text, which may contain a token.
   *
   * @param stop ends the dialogue
   */
  async send(mail: Mail, stop?: AbortSignal): Promise<MailResult> {
    if (!this.options) return 'not_configured';
    const { smtpUrl, from } = this.options;
    let isTransferring = false;
    try {
      const transport = await createTransport(smtpUrl);
      transport.use('stream', ({ message }, done) => {
        // Called when the server has accepted connection and sign-in.
        message.transform(() => {
          isTransferring = true;
          return new PassThrough();
        });
        done();
      });
      const signal = AbortSignal.any([AbortSignal.timeout(DIALOGUE_TIMEOUT_MS), ...(stop ? [stop] : [])]);
      await transport.sendMail({ ...mail, from, signal });
      return 'sent';
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const result = isTransferring && responseCode === undefined ? 'unknown' : 'failed';
      const fields = { code: code ?? (error as Error).name, responseCode };
      if (result === 'unknown') this.logger.error(fields, 'the mail server did not confirm a mail');
      else this.logger.error(fields, 'a mail could not be sent');
      return result;
    }
  }

  /** For requests, which a slow mail server must not hold up: `unknown` after 5 seconds, and the dialogue continues. */
  sendWithinRequest(mail: Mail): Promise<MailResult> {
    return pTimeout(this.send(mail), { milliseconds: REQUEST_WAIT_MS, fallback: () => 'unknown' as const });
  }
}

/**
 * Connects and signs in, and sends nothing.
 *
 * @throws the error of nodemailer, with its `code`
 */
export async function verifyMailServer({ smtpUrl }: Pick<MailerOptions, 'smtpUrl'>): Promise<void> {
  const transport = await createTransport(smtpUrl);
  try {
    await pTimeout(transport.verify(), { milliseconds: CONNECTION_TIMEOUT_MS });
  } finally {
    transport.close();
  }
}

async function createTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport: create } = await import('nodemailer');
  const timeouts = {
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: DIALOGUE_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
  };
  // Attachments from files and URLs are never sent.
  return create({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
}
