import { hasPermission, Memberships } from '@app/auth';
import {
  claimDueCreditAlerts,
  claimActionRequiredPaymentNotices,
  type DueCreditAlert,
  formatAmount,
  type ActionRequiredPaymentNotice,
  postponeCreditAlert,
  postponePaymentNotice,
} from '@app/billing';
import { type Mail, type Mailer, sanitizeNameForMail } from '@app/runtime';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';

const RETRY_SECONDS = 600;
const NUMBER = new Intl.NumberFormat('en');

type MailText = Omit<Mail, 'to'>;

/** Mails who may pay for an account what the console shows at the top of its pages. */
export class BillingNoticeMailer {
  private readonly memberships: Memberships;
  private readonly billingUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Pick<Mailer, 'send'>,
    publicUrl: string,
    private readonly hasCardPayments: boolean,
  ) {
    this.memberships = new Memberships(dataSource);
    this.billingUrl = `${publicUrl}/console/billing`;
  }

  /**
   * A notice whose mails all fail is sent again later; one that a crash interrupts is not.
   * @throws the first error, after every notice
   */
  async sendDueNotices(stop?: AbortSignal): Promise<void> {
    const steps = new ErrorCollector();
    for (const alert of await claimDueCreditAlerts(this.dataSource))
      await this.sendOrPostpone(
        steps,
        () => this.mailPayers(alert.accountId, this.writeAlert(alert), stop),
        (seconds) => postponeCreditAlert(this.dataSource, alert.accountId, seconds),
        stop,
      );
    // Without card payments nobody would hear that one was confirmed.
    const toConfirm = this.hasCardPayments ? await claimActionRequiredPaymentNotices(this.dataSource) : [];
    for (const payment of toConfirm)
      await this.sendOrPostpone(
        steps,
        () => this.mailPayers(payment.accountId, this.writeConfirmation(payment), stop),
        (seconds) => postponePaymentNotice(this.dataSource, payment.id, seconds),
        stop,
      );
    steps.throwIfFailed();
  }

  /** All due notices are claimed at once, so an error with one must not lose it, nor those after it. */
  private async sendOrPostpone(
    steps: ErrorCollector,
    send: () => Promise<boolean>,
    postpone: (seconds: number) => Promise<void>,
    stop?: AbortSignal,
  ): Promise<void> {
    const isSent = stop?.aborted ? false : await steps.run('mail', send);
    if (!isSent) await steps.run('postponement', () => postpone(stop?.aborted ? 0 : RETRY_SECONDS));
  }

  /** @returns false if there are addresses, and none can have got the mail */
  private async mailPayers(accountId: string, text: MailText, stop?: AbortSignal): Promise<boolean> {
    const members = await this.memberships.listMembers(accountId);
    const payers = members.filter(({ role, disabled }) => !disabled && hasPermission(role, 'billing.write'));
    let isSent = payers.length === 0;
    for (const { email: to } of payers) {
      const result = await this.mailer.send({ to, ...text }, stop);
      if (result === 'sent' || result === 'unknown') isSent = true;
    }
    return isSent;
  }

  private writeAlert({ accountName, balance, below }: DueCreditAlert): MailText {
    const account = sanitizeNameForMail(accountName);
    return {
      subject: `${account} has ${NUMBER.format(balance)} credits left`,
      text: [
        `The balance of the account “${account}” is ${NUMBER.format(balance)} credits. You asked for a mail below ${NUMBER.format(below)}.`,
        'Without credits no jobs can be created.',
        `Top up, or change the alert:\n\n${this.billingUrl}`,
      ].join('\n\n'),
    };
  }

  private writeConfirmation({
    accountName,
    credits,
    amount,
    currency,
    actionUrl,
  }: ActionRequiredPaymentNotice): MailText {
    const account = sanitizeNameForMail(accountName);
    const price = formatAmount(amount, currency);
    return {
      subject: `${account}: confirm a payment of ${price}`,
      text: [
        `The bank wants the owner of the card to confirm the recharge of ${NUMBER.format(credits)} credits for the account “${account}”. Nothing is charged before, and auto-recharge is paused until then.`,
        `Confirm it within a day:\n\n${actionUrl}`,
        `All payments:\n\n${this.billingUrl}`,
      ].join('\n\n'),
    };
  }
}
