/**
 * Stands before a statement and takes the names of the tables: behind `job` and `job_event` are the rows of the account
 * `$1` from there on, and no others can be reached by these names. Postgres puts them into the statement's own plan.
 */
export const OWN_ROWS = `WITH job AS NOT MATERIALIZED (SELECT * FROM job WHERE account_id = $1),
  job_event AS NOT MATERIALIZED (SELECT job_event.* FROM job JOIN job_event ON job_event.job_id = job.id)`;

const OWN_TABLES = new Set(['job', 'job_event']);
/** What a statement reads from: a table, in brackets or not, or a function with its bracket. A query inside has its own. */
const SOURCE =
  /\b(?:from|join)\b[\s(]*(?:(?:lateral|only)\b[\s(]*)*(?!(?:select|values|with)\b)([\w."]+)(\s*\()?/gi;
/** A second table after a comma. */
const LISTED = /\bfrom\s+[\w."]+(?:\s+(?:as\s+)?\w+)?\s*,/i;

/** @throws TypeError that names the statement and what it reads beside the tables of `OWN_ROWS` */
export function refuseOtherTables(name: string, text: string): void {
  const others = [...text.matchAll(SOURCE)]
    .filter(([, source = '', bracket]) => bracket === undefined && !OWN_TABLES.has(source))
    .map(([, source]) => source);
  if (others.length > 0) throw new TypeError(`The statement ${name} may not read ${others.join(', ')}.`);
  if (LISTED.test(text)) throw new TypeError(`The statement ${name} has to say JOIN instead of a comma.`);
}
