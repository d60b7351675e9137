/** Table -> how its rows belong to the account `$1`. What one of them reads stands before it. */
const SCOPED_TABLES = {
  job: 'SELECT * FROM job WHERE account_id = $1',
  job_event: 'SELECT job_event.* FROM job JOIN job_event ON job_event.job_id = job.id',
  job_metadata: 'SELECT * FROM job_metadata WHERE account_id = $1',
  account: 'SELECT * FROM account WHERE id = $1',
  api_key: 'SELECT * FROM api_key WHERE account_id = $1',
  credit_entry: 'SELECT * FROM credit_entry WHERE account_id = $1',
};

/**
 * Stands before a statement and takes the names of the tables: behind `job` and the others are the rows of the account
 * `$1` from there on, and no others can be reached by these names. Postgres puts them into the statement's own plan, and
 * leaves out those that the statement does not read.
 */
export const ACCOUNT_SCOPE_CTE = `WITH ${Object.entries(SCOPED_TABLES)
  .map(([table, rows]) => `${table} AS NOT MATERIALIZED (${rows})`)
  .join(',\n  ')}`;

const SCOPED_TABLE_NAMES = new Set(Object.keys(SCOPED_TABLES));
/** What a statement reads from: a table, in brackets or not, or a function with its bracket. A query inside has its own. */
const TABLE_REFERENCE =
  /\b(?:from|join)\b[\s(]*(?:(?:lateral|only)\b[\s(]*)*(?!(?:select|values|with)\b)([\w."]+)(\s*\()?/gi;
/** What follows FROM up to the next part of its query, of a text without brackets. */
const FROM_LIST =
  /\bfrom\b(.*?)(?:(?<![".])\b(?:where|group|having|window|union|intersect|except|order|limit|offset|fetch|for)\b|$)/gis;
const INNERMOST_PARENTHESES = /\(([^()]*)\)/;

/** @throws TypeError that names the statement and what it reads beside the tables of `ACCOUNT_SCOPE_CTE` */
export function assertScopedTables(name: string, text: string): void {
  const others = [...text.matchAll(TABLE_REFERENCE)]
    .filter(([, source = '', bracket]) => bracket === undefined && !SCOPED_TABLE_NAMES.has(source))
    .map(([, source]) => source);
  if (others.length > 0) throw new TypeError(`The statement ${name} may not read ${others.join(', ')}.`);
  if (splitByParentheses(text).some(hasCommaJoin))
    throw new TypeError(`The statement ${name} has to say JOIN instead of a comma.`);
}

/** A second table after a comma stands behind no word that `SOURCE` would know it by. */
function hasCommaJoin(level: string): boolean {
  return [...level.matchAll(FROM_LIST)].some(([, list = '']) => list.includes(','));
}

/** What stands inside each pair of brackets, and outside of all, without the brackets inside it. */
function splitByParentheses(text: string): string[] {
  const inside = INNERMOST_PARENTHESES.exec(text);
  if (!inside) return [text];
  const [all, content = ''] = inside;
  return [content, ...splitByParentheses(text.replace(all, () => ' '))];
}
