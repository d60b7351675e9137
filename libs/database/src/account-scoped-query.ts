import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { queryPrepared, type PreparedStatement } from './query-rows.js';

/** Table -> query of its rows of account `$1`, in order of dependency. */
const SCOPED_TABLES = {
  job: 'SELECT * FROM job WHERE account_id = $1',
  job_stage: 'SELECT job_stage.* FROM job JOIN job_stage ON job_stage.job_id = job.id',
  job_event: 'SELECT job_event.* FROM job JOIN job_event ON job_event.job_id = job.id',
  job_metadata: 'SELECT * FROM job_metadata WHERE account_id = $1',
  account: 'SELECT * FROM account WHERE id = $1',
  api_key: 'SELECT * FROM api_key WHERE account_id = $1',
  credit_entry: 'SELECT * FROM credit_entry WHERE account_id = $1',
  credit_alert: 'SELECT * FROM credit_alert WHERE account_id = $1',
  auto_recharge: 'SELECT * FROM auto_recharge WHERE account_id = $1',
  payment: 'SELECT * FROM payment WHERE account_id = $1',
  payment_dispute: 'SELECT * FROM payment_dispute WHERE account_id = $1',
  webhook_endpoint: 'SELECT * FROM webhook_endpoint WHERE account_id = $1',
  webhook_delivery: 'SELECT * FROM webhook_delivery WHERE account_id = $1',
  webhook_attempt:
    'SELECT webhook_attempt.* FROM webhook_delivery JOIN webhook_attempt ON webhook_attempt.delivery_id = webhook_delivery.id',
  transcript_correction:
    'SELECT transcript_correction.* FROM job JOIN transcript_correction ON transcript_correction.job_id = job.id',
  vocabulary: 'SELECT * FROM vocabulary WHERE account_id = $1',
  app_user:
    'SELECT app_user.id, app_user.name, email FROM membership JOIN app_user ON app_user.id = membership.user_id WHERE membership.account_id = $1',
};

/**
 * Shadows the tables in a statement, so that it can only read rows of account `$1`. Postgres inlines the used
 * CTEs into the plan and drops the others.
 */
export const ACCOUNT_SCOPE_CTE = `WITH ${Object.entries(SCOPED_TABLES)
  .map(([table, rows]) => `${table} AS NOT MATERIALIZED (${rows})`)
  .join(',\n  ')}`;

const SCOPED_TABLE_NAMES = new Set(Object.keys(SCOPED_TABLES));
/**
 * Matches a table, with or without parentheses, or a function call; subqueries are matched by their own
 * sources.
 */
const TABLE_REFERENCE =
  /\b(?:from|join)\b[\s(]*(?:(?:lateral|only)\b[\s(]*)*(?!(?:select|values|with)\b)([\w."]+)(\s*\()?/gi;
/** For a text without parentheses. */
const FROM_LIST =
  /\bfrom\b(.*?)(?:(?<![".])\b(?:where|group|having|window|union|intersect|except|order|limit|offset|fetch|for)\b|$)/gis;
const INNERMOST_PARENTHESES = /\(([^()]*)\)/;

/** @throws TypeError with the name of the statement and the tables outside of `ACCOUNT_SCOPE_CTE` */
export function assertReadsOnlyScopedTables(name: string, text: string): void {
  const others = [...text.matchAll(TABLE_REFERENCE)]
    .filter(([, source = '', bracket]) => bracket === undefined && !SCOPED_TABLE_NAMES.has(source))
    .map(([, source]) => source);
  if (others.length > 0) throw new TypeError(`The statement ${name} may not read ${others.join(', ')}.`);
  if (splitByParentheses(text).some(hasCommaJoin))
    throw new TypeError(`The statement ${name} must use JOIN instead of a comma.`);
}

/** `TABLE_REFERENCE` does not match a table after a comma. */
function hasCommaJoin(level: string): boolean {
  return [...level.matchAll(FROM_LIST)].some(([, list = '']) => list.includes(','));
}

function splitByParentheses(text: string): string[] {
  const inside = INNERMOST_PARENTHESES.exec(text);
  if (!inside) return [text];
  const [all, content = ''] = inside;
  return [content, ...splitByParentheses(text.replace(all, () => ' '))];
}

declare const scoped: unique symbol;
/** Created by `buildAccountScopedQuery`. */
export type AccountScopedQuery = PreparedStatement & { [scoped]: true };

/**
 * @param text a SELECT from tables of `ACCOUNT_SCOPE_CTE`; `$1` is the account id
 * @throws TypeError if it reads another table or bypasses the account scope
 */
export function buildAccountScopedQuery(name: string, text: string): AccountScopedQuery {
  assertReadsOnlyScopedTables(name, text);
  return { name, text: `${ACCOUNT_SCOPE_CTE} ${text}` } as AccountScopedQuery;
}

/**
 * Tables contain only rows of this account, so a missing condition cannot show rows of others.
 * @param values of `$2` and the following parameters
 */
export async function queryAccountRows<T extends QueryResultRow>(
  dataSource: DataSource,
  accountId: string,
  statement: AccountScopedQuery,
  values: unknown[] = [],
): Promise<T[]> {
  return queryPrepared<T>(dataSource.manager, statement, [accountId, ...values]);
}
