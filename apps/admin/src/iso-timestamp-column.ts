import { isoTimestampSql } from '@app/jobs';

/** A column of moments as text in UTC, to the microsecond, under its own name. */
export function isoTimestampColumn(column: string): string {
  return `${isoTimestampSql(column)} AS ${column}`;
}
