import { declinePayment, findPayment, listPayments, type PaymentView, settlePayment } from '@app/billing';
import type { PaymentState } from '@app/database';

import { Option, SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type AccountOption, AccountFilterCommand, assertAccountExists } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandError, type JsonOption, printResult, formatTable } from '../output.js';
import { CommandContext } from '../command-context.js';

const STATES: readonly PaymentState[] = ['requested', 'settled', 'declined'];

interface ListOptions extends AccountOption {
  state?: PaymentState;
  limit?: number;
}

@SubCommand({ name: 'payments', description: 'list requested payments, newest first' })
export class ListPaymentsCommand extends AccountFilterCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const { account: accountId, state, limit = 50 } = options;
    const { dataSource } = await this.context.open();
    if (accountId !== undefined) await assertAccountExists(dataSource, accountId);
    const rows = (await listPayments(dataSource, { accountId, state, limit })).map(toPaymentRow);
    printResult(options, rows, () =>
      formatTable(
        ['PAYMENT', 'ACCOUNT', 'CREDITS', 'STATE', 'REFERENCE', 'ASKED FOR'],
        rows.map((row) => [
          row.payment_id,
          row.account_id,
          String(row.credits),
          row.state,
          row.reference ?? '-',
          row.created_at,
        ]),
      ),
    );
  }

  @Option({ flags: '--state <state>', description: STATES.join(', ') })
  parseState(text: string): PaymentState {
    return parseChoice('--state', STATES, text);
  }

  @Option({ flags: '--limit <n>', description: 'number of rows (default 50)' })
  parseLimit(text: string): number {
    return parseLimit(text);
  }
}

@SubCommand({
  name: 'settle',
  arguments: '<payment_id>',
  description: 'record that a payment arrived; grants its credits once',
})
export class SettlePaymentCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const { accountId: account_id } = await requirePayment(dataSource, id);
    const balance = await settlePayment(dataSource, id);
    if (balance === null) throw await paymentEndedError(dataSource, id);
    const settled = { payment_id: id, account_id, balance };
    printResult(options, settled, () => `Payment ${id} is settled; the balance is ${balance}.`);
  }
}

@SubCommand({
  name: 'decline',
  arguments: '<payment_id>',
  description: 'record that a payment will not arrive',
})
export class DeclinePaymentCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await requirePayment(dataSource, id);
    if (!(await declinePayment(dataSource, id))) throw await paymentEndedError(dataSource, id);
    printResult(options, { payment_id: id, state: 'declined' }, () => `Payment ${id} is declined.`);
  }
}

async function requirePayment(dataSource: DataSource, id: string): Promise<PaymentView> {
  const payment = isUuid(id) ? await findPayment(dataSource, id) : undefined;
  if (!payment) throw new CommandError(`There is no payment ${id}.`);
  return payment;
}

async function paymentEndedError(dataSource: DataSource, id: string): Promise<CommandError> {
  const { state } = await requirePayment(dataSource, id);
  return new CommandError(`Payment ${id} is ${state} already.`);
}

function toPaymentRow(payment: PaymentView) {
  return {
    payment_id: payment.id,
    account_id: payment.accountId,
    credits: payment.credits,
    state: payment.state,
    reference: payment.reference,
    created_at: payment.createdAt.toISOString(),
    ended_at: payment.endedAt?.toISOString() ?? null,
  };
}
