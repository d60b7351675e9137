import { declinePayment, findPayment, listPayments, type PaymentView, settlePayment } from '@app/billing';
import type { PaymentState } from '@app/database';

import { Option, SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type AccountOption, AccountFilterCommand, accountMustExist } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandRefused, type JsonOption, print, table } from '../output.js';
import { Workplace } from '../workplace.js';

const STATES: readonly PaymentState[] = ['requested', 'settled', 'declined'];

interface ListOptions extends AccountOption {
  state?: PaymentState;
  limit?: number;
}

@SubCommand({ name: 'payments', description: 'list requested payments, newest first' })
export class ListPaymentsCommand extends AccountFilterCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const { account: accountId, state, limit = 50 } = options;
    const { dataSource } = await this.workplace.open();
    if (accountId !== undefined) await accountMustExist(dataSource, accountId);
    const rows = (await listPayments(dataSource, { accountId, state, limit })).map(rowOf);
    print(options, rows, () =>
      table(
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
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const { accountId: account_id } = await onePayment(dataSource, id);
    const balance = await settlePayment(dataSource, id);
    if (balance === null) throw await alreadyEnded(dataSource, id);
    const settled = { payment_id: id, account_id, balance };
    print(options, settled, () => `Payment ${id} is settled; the balance is ${balance}.`);
  }
}

@SubCommand({
  name: 'decline',
  arguments: '<payment_id>',
  description: 'record that a payment will not arrive',
})
export class DeclinePaymentCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    await onePayment(dataSource, id);
    if (!(await declinePayment(dataSource, id))) throw await alreadyEnded(dataSource, id);
    print(options, { payment_id: id, state: 'declined' }, () => `Payment ${id} is declined.`);
  }
}

async function onePayment(dataSource: DataSource, id: string): Promise<PaymentView> {
  const payment = isUuid(id) ? await findPayment(dataSource, id) : undefined;
  if (!payment) throw new CommandRefused(`There is no payment ${id}.`);
  return payment;
}

async function alreadyEnded(dataSource: DataSource, id: string): Promise<CommandRefused> {
  const { state } = await onePayment(dataSource, id);
  return new CommandRefused(`Payment ${id} is ${state} already.`);
}

function rowOf(payment: PaymentView) {
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
