import { Readable } from 'node:stream';
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
 * `failed`: nobody has the mail, because the server was not reached, refused it, or did not get all of it. `unknown`: the server did
 * not confirm in time what it may have taken.
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
  send(mail: Mail, stop?: AbortSignal): Promise<MailResult> {
    return this.transfer(mail, { isTextWritten: false }, stop);
  }

  /**
   * For requests, which a slow mail server must not hold up. After 5 seconds the dialogue ends with `failed`, unless the text has been
   * written: then it is `unknown`, and the dialogue continues.
   */
  sendWithinRequest(mail: Mail): Promise<MailResult> {
    const transfer = { isTextWritten: false };
    const stop = new AbortController();
    return pTimeout(this.transfer(mail, transfer, stop.signal), {
      milliseconds: REQUEST_WAIT_MS,
      fallback: () => {
        if (transfer.isTextWritten) return 'unknown' as const;
        stop.abort();
        return 'failed' as const;
      },
    });
  }

  private async transfer(
    mail: Mail,
    transfer: { isTextWritten: boolean },
    stop?: AbortSignal,
  ): Promise<MailResult> {
    if (!this.options) return 'not_configured';
    const { smtpUrl, from } = this.options;
    try {
      const transport = await createTransport(smtpUrl);
      transport.use('stream', ({ message }, done) => {
        message.processFunc((source) => notifyOnceRead(source, () => (transfer.isTextWritten = true)));
        done();
      });
      const signal = AbortSignal.any([AbortSignal.timeout(DIALOGUE_TIMEOUT_MS), ...(stop ? [stop] : [])]);
      await transport.sendMail({ ...mail, from, signal });
      return 'sent';
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const result = transfer.isTextWritten && responseCode === undefined ? 'unknown' : 'failed';
      const fields = { code: code ?? (error as Error).name, responseCode };
      if (result === 'unknown') this.logger.error(fields, 'the mail server did not confirm a mail');
      else this.logger.error(fields, 'a mail could not be sent');
      return result;
    }
  }
}

/** Reads ahead nothing, unlike a transform: nodemailer reads the text when the server has accepted sender and recipient. */
function notifyOnceRead(source: Readable, notify: () => void): Readable {
  const readAll = async function* () {
    yield* source;
    notify();
  };
  return Readable.from(readAll(), { objectMode: false });
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
