import {
  type ChangeAuditCallback,
  declinePayment,
  expireUnreachablePayment,
  findPayment,
  formatAmount,
  listPayments,
  type StoredPayment,
  settleManualPaymentAndGrantCredits,
} from '@app/billing';
import type { PaymentState } from '@app/database';
import { SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { ROW_LIMIT_OPTION, parseChoice } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
} from '../resolve-account.js';

const STATES: readonly PaymentState[] = [
  'checkout',
  'requested',
  'action_required',
  'settled',
  'declined',
  'expired',
];

interface ListOptions extends AccountCommandOptions {
  state?: PaymentState;
  limit?: number;
}

@SubCommand({ name: 'payments', description: 'list payments, newest first' })
@WithOptions(
  {
    flags: '--state <state>',
    description: STATES.join(', '),
    parse: (text, option) => parseChoice(text, option, STATES),
  },
  ROW_LIMIT_OPTION,
  ACCOUNT_FILTER_OPTION,
)
export class ListPaymentsCommand extends OperatorCommand {
  async run(_: string[], options: ListOptions): Promise<void> {
    const { account: accountId, state, limit = 50 } = options;
    const { dataSource, cardPayments } = await this.context.open();
    if (accountId !== undefined) await assertAccountExists(dataSource, accountId);
    const payments = await listPayments(dataSource, { accountId, state, limit });
    const rows = payments.map((payment) => ({
      payment_id: payment.id,
      account_id: payment.accountId,
      credits: payment.credits,
      state: payment.state,
      kind: payment.kind,
      provider: payment.provider,
      amount: formatNullableAmount(payment.amount, payment.currency),
      refunded:
        payment.refundedAmount > 0 ? formatNullableAmount(payment.refundedAmount, payment.currency) : null,
      reversed_credits: payment.reversedCredits,
      failure: payment.failure,
      reference: payment.reference,
      receipt_url: payment.receiptUrl,
      // Nobody would hear that it was completed.
      action_url: cardPayments && payment.actionUrl,
      created_at: payment.createdAt.toISOString(),
      ended_at: payment.endedAt?.toISOString() ?? null,
    }));
    printTableOrJson(options, rows, {
      PAYMENT: 'payment_id',
      ACCOUNT: 'account_id',
      CREDITS: 'credits',
      AMOUNT: 'amount',
      STATE: ({ state: current, failure, refunded }) =>
        [current, failure, refunded && `${refunded} refunded`].filter(Boolean).join(', '),
      REFERENCE: 'reference',
      LINK: ({ action_url, receipt_url }) => action_url ?? receipt_url,
      'ASKED FOR': 'created_at',
    });
  }
}

@SubCommand({
  name: 'settle',
  arguments: '<payment_id>',
  description: 'record that a payment arrived; grants its credits once',
})
export class SettlePaymentCommand extends OperatorCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const { accountId: account_id } = await requirePaymentOfOperator(dataSource, id);
    const balance = await settleManualPaymentAndGrantCredits(dataSource, id, (tx) =>
      recordOperatorAction(tx, { accountId: account_id, action: 'payment.settled', target: id }),
    );
    if (balance === null) throw await createPaymentEndedError(dataSource, id);
    const settled = { payment_id: id, account_id, balance };
    printResult(options, settled, () => `Payment ${id} is settled; the balance is ${balance}.`);
  }
}

@SubCommand({
  name: 'decline',
  arguments: '<payment_id>',
  description: 'record that a payment will not arrive',
})
export class DeclinePaymentCommand extends OperatorCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource, cardPayments } = await this.context.open();
    // Without its settings nobody can ask Stripe, and the account would have an open payment for ever.
    const { accountId } = await (cardPayments
      ? requirePaymentOfOperator(dataSource, id)
      : requirePayment(dataSource, id));
    const record: ChangeAuditCallback = (tx) =>
      recordOperatorAction(tx, { accountId, action: 'payment.declined', target: id });
    const isDeclined = await declinePayment(dataSource, id, {}, record);
    const isExpired =
      !isDeclined && !cardPayments && (await expireUnreachablePayment(dataSource, id, record));
    if (!isDeclined && !isExpired) throw await createPaymentEndedError(dataSource, id);
    const state = isDeclined ? 'declined' : 'expired';
    printResult(options, { payment_id: id, state }, () => `Payment ${id} is ${state}.`);
  }
}

function formatNullableAmount(amount: number | null, currency: string | null): string | null {
  return amount === null || currency === null ? null : formatAmount(amount, currency);
}

async function requirePayment(dataSource: DataSource, id: string): Promise<StoredPayment> {
  const payment = isUuid(id) ? await findPayment(dataSource, id) : undefined;
  if (!payment) throw new CommandError(`There is no payment ${id}.`);
  return payment;
}

/** Only Stripe knows whether one of its payments has arrived. */
async function requirePaymentOfOperator(dataSource: DataSource, id: string): Promise<StoredPayment> {
  const payment = await requirePayment(dataSource, id);
  if (payment.provider === 'manual') return payment;
  throw new CommandError(`Payment ${id} is collected by Stripe: use \`credits reconcile\`.`);
}

async function createPaymentEndedError(dataSource: DataSource, id: string): Promise<CommandError> {
  const { state } = await requirePayment(dataSource, id);
  return new CommandError(`Payment ${id} is ${state} already.`);
}
