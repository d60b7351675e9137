import { HELD_CREDITS_SQL, OPEN_HOLDS_SQL } from '@app/billing';
import { queryRows } from '@app/database';

import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, printResult, formatTable } from '../output.js';
import { isoTimestampColumn } from '../iso-timestamp-column.js';
import { CommandContext } from '../command-context.js';

interface AccountRow {
  account_id: string;
  name: string;
  /** Those that are not revoked. */
  keys: number;
  balance: number;
  /** Credits set aside for jobs that have not ended; no part of the balance. */
  held: number;
  suspended_at: string | null;
  created_at: string;
}

const SELECT_ACCOUNTS = `
  SELECT id AS account_id, name, COALESCE(valid.keys, 0)::int AS keys, balance, COALESCE(open.held, 0) AS held,
         ${isoTimestampColumn('suspended_at')}, ${isoTimestampColumn('created_at')}
  FROM account
  LEFT JOIN (SELECT account_id, count(*) AS keys FROM api_key WHERE revoked_at IS NULL GROUP BY account_id) valid
    ON valid.account_id = account.id
  LEFT JOIN (
    SELECT account_id, ${HELD_CREDITS_SQL} AS held FROM ${OPEN_HOLDS_SQL}
    GROUP BY account_id
  ) open ON open.account_id = account.id
  ORDER BY account.created_at, id`;

@SubCommand({ name: 'list', description: 'list accounts: keys, balance, credits held, suspended or not' })
export class ListAccountsCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const rows = await queryRows<AccountRow>(dataSource, SELECT_ACCOUNTS);
    printResult(options, rows, () =>
      formatTable(
        ['ACCOUNT', 'NAME', 'KEYS', 'BALANCE', 'HELD', 'SUSPENDED', 'CREATED'],
        rows.map((row) => [
          row.account_id,
          row.name,
          String(row.keys),
          String(row.balance),
          String(row.held),
          row.suspended_at ?? '-',
          row.created_at,
        ]),
      ),
    );
  }
}
