import { type CardPayments, formatAmount, listDisputes } from '@app/billing';
import { SubCommand } from 'nest-commander';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction, runAndRecordOperatorAction } from '../operator-audit.js';
import { ROW_LIMIT_OPTION, parseCredits } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';

interface TopUpOptions extends AccountCommandOptions {
  credits: number;
}

@SubCommand({ name: 'top-up', description: 'create a page on which a customer pays for credits by card' })
@WithOptions(
  { flags: '--credits <n>', required: true, description: 'whole credits', parse: parseCredits },
  ACCOUNT_OPTION,
)
export class StartTopUpCommand extends OperatorCommand {
  async run(_: string[], options: TopUpOptions): Promise<void> {
    const { dataSource, cardPayments } = await this.context.open();
    const cards = requireConfiguredCardPayments(cardPayments);
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const { credits } = options;
    const { paymentId, url } = await cards
      .createTopUp(account, credits, (tx, target) =>
        recordOperatorAction(tx, {
          accountId: account,
          action: 'payment.top_up_started',
          target,
          details: { credits },
        }),
      )
      .catch(rethrowForOperator);
    printResult(options, { account_id: account, payment_id: paymentId, url }, () => url);
  }
}

interface DisputesOptions extends AccountCommandOptions {
  open?: boolean;
  limit?: number;
}

@SubCommand({ name: 'disputes', description: 'list disputed payments, newest first' })
@WithOptions(
  { flags: '--open', description: 'only those that are open' },
  ROW_LIMIT_OPTION,
  ACCOUNT_FILTER_OPTION,
)
export class ListDisputesCommand extends OperatorCommand {
  async run(_: string[], options: DisputesOptions): Promise<void> {
    const { account: accountId, open: onlyOpen = false, limit = 50 } = options;
    const { dataSource } = await this.context.open();
    if (accountId !== undefined) await assertAccountExists(dataSource, accountId);
    const disputes = await listDisputes(dataSource, { accountId, onlyOpen, limit });
    const rows = disputes.map((dispute) => ({
      dispute_id: dispute.id,
      account_id: dispute.accountId,
      payment_id: dispute.paymentId,
      amount: formatAmount(dispute.amount, dispute.currency),
      reason: dispute.reason,
      status: dispute.status,
      created_at: dispute.createdAt.toISOString(),
      closed_at: dispute.closedAt?.toISOString() ?? null,
    }));
    printTableOrJson(options, rows, {
      DISPUTE: 'dispute_id',
      ACCOUNT: 'account_id',
      PAYMENT: 'payment_id',
      AMOUNT: 'amount',
      REASON: 'reason',
      STATUS: 'status',
      OPENED: 'created_at',
    });
  }
}

interface ReconcileOptions extends JsonOption {
  closePages?: boolean;
}

@SubCommand({ name: 'reconcile', description: 'ask Stripe now for payments that no webhook reported' })
@WithOptions({
  flags: '--close-pages',
  description: 'also close all checkout pages, before the settings of Stripe are removed',
})
export class ReconcilePaymentsCommand extends OperatorCommand {
  async run(_: string[], options: ReconcileOptions): Promise<void> {
    const { dataSource, cardPayments } = await this.context.open();
    const cards = requireConfiguredCardPayments(cardPayments);
    const report = await runAndRecordOperatorAction(
      dataSource,
      { accountId: null, action: 'payment.reconciled' },
      async () => ({
        ...(await cards.reconcile(0)),
        ...(options.closePages && (await closePages(cards))),
      }),
      (counts) => ({ ...counts }),
    ).catch(rethrowForOperator);
    printResult(options, report, () =>
      [
        `Looked at ${report.payments} unfinished payments and applied ${report.events ?? 0} events.`,
        ...(report.pages === undefined ? [] : [`Closed ${report.pages} checkout pages.`]),
      ].join('\n'),
    );
    if (report.open_pages !== undefined)
      throw new CommandError(
        `${report.open_pages} checkout pages could not be closed. Leave the settings of Stripe as they are, and run it again.`,
      );
  }
}

async function closePages(cards: CardPayments): Promise<{ pages: number; open_pages?: number }> {
  const { closed, open } = await cards.closeCheckoutPages();
  return { pages: closed, ...(open > 0 && { open_pages: open }) };
}

/** @throws CommandError */
export function requireConfiguredCardPayments(cardPayments: CardPayments | null): CardPayments {
  if (cardPayments) return cardPayments;
  throw new CommandError('Stripe is not configured: set STRIPE_SECRET_KEY (docs/operating/payments.md).');
}

/** An error of Stripe is the operator's to mend, so it is shown. */
function rethrowForOperator(error: unknown): never {
  const { cause } = error as { cause?: unknown };
  const { message } = (cause instanceof Error ? cause : error) as Error;
  throw new CommandError(`Stripe: ${message}`);
}
