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

export type MailResult = 'sent' | 'failed' | 'not_configured';

/** Requests wait for a mail, so a mail server without a response must not make them slow. */
const TIMEOUT_MS = 4_000;

/** Sends plain text through the operator's mail server, over one connection each. */
export class Mailer {
  private readonly logger = new Logger(Mailer.name);
  private transport: Promise<Transporter> | undefined;

  /** @param options null: nothing is sent */
  constructor(private readonly options: MailerOptions | null) {}

  get isConfigured(): boolean {
    return this.options !== null;
  }

  /** Never throws: a failure is logged without recipient and text, which may contain a token. */
  async send(mail: Mail): Promise<MailResult> {
    if (!this.options) return 'not_configured';
    const { smtpUrl, from } = this.options;
    try {
      const transport = await (this.transport ??= createTransport(smtpUrl));
      await pTimeout(transport.sendMail({ ...mail, from }), { milliseconds: TIMEOUT_MS });
      return 'sent';
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      this.logger.error({ code: code ?? (error as Error).name, responseCode }, 'a mail could not be sent');
      return 'failed';
    }
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
    await pTimeout(transport.verify(), { milliseconds: TIMEOUT_MS });
  } finally {
    transport.close();
  }
}

async function createTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport: create } = await import('nodemailer');
  const timeouts = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
  // Attachments from files and URLs are never sent.
  return create({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
}
