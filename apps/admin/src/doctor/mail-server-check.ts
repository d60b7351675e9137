import { describeError } from '@app/errors';
import { type MailerOptions, verifyMailServer } from '@app/runtime';
import { createOkFinding, createWarningFinding, type Finding } from './finding.js';

const NAME = 'mail';
const SERVER_ADVICE = 'Check host and port of SMTP_URL, and that the server runs.';
/** By the codes of nodemailer. */
const ADVICE: Readonly<Record<string, string>> = {
  EAUTH:
    'Check user and password in SMTP_URL: `smtp://user:password@host:587`, with `%40` for an @ in either.',
  EDNS: 'Check the host in SMTP_URL: its name does not resolve.',
  ESOCKET:
    'Check SMTP_URL: `smtps:` is TLS from the start (usually port 465), `smtp:` changes to TLS when the server offers it (587).',
};

/** A failure is a warning: without mails the console shows links to copy. @param options null: mail is not configured */
export async function checkMailServer(options: MailerOptions | null): Promise<Finding> {
  if (options === null)
    return createOkFinding(NAME, 'SMTP_URL is not set; the console shows links to copy instead of mails');
  const { host } = new URL(options.smtpUrl);
  try {
    await verifyMailServer(options);
    return createOkFinding(NAME, `${host} accepts the sign-in; mails are sent from ${options.from}`);
  } catch (error) {
    return createWarningFinding(NAME, `${host}: ${describeError(error)}`, adviceFor(error));
  }
}

/** @param error of nodemailer, which gives a refused connection and failed TLS the same code */
function adviceFor(error: unknown): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' ? SERVER_ADVICE : (ADVICE[code] ?? SERVER_ADVICE);
}
