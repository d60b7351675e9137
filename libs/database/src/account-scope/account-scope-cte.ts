/** Table -> query of its rows of account `$1`, in order of dependency. */
const SCOPED_TABLES = {
  job: 'SELECT * FROM job WHERE account_id = $1',
  job_event: 'SELECT job_event.* FROM job JOIN job_event ON job_event.job_id = job.id',
  job_metadata: 'SELECT * FROM job_metadata WHERE account_id = $1',
  account: 'SELECT * FROM account WHERE id = $1',
  api_key: 'SELECT * FROM api_key WHERE account_id = $1',
  credit_entry: 'SELECT * FROM credit_entry WHERE account_id = $1',
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
export function assertScopedTables(name: string, text: string): void {
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
