/**
 * A moment as text, `YYYY-MM-DDTHH:MM:SS.ffffffZ`, written by the database: a Date would lose the microseconds, and with
 * them jobs at the edge of a page.
 * @param column of the type `timestamptz`
 */
export function isoTimestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** When the job was completed; null in every other state. */
export const COMPLETED_AT_SQL = `CASE WHEN status = 'completed' THEN ${isoTimestampSql('finished_at')} END`;
