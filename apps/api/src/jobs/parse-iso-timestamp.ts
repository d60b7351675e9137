/** Date and time, extended or basic. A plus sign that arrived as a space was one before it was decoded from a query. */
const ISO_8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,20}))?)?)?(Z|[+\- ]\d\d(?::?\d\d)?)?)?$/i;

const MICROSECONDS = 1_000_000n;

/**
 * Reads an ISO 8601 timestamp without losing its microseconds. Without an offset it is UTC.
 * Digits beyond the sixth are rounded up: what lies before the moment stays before the result.
 * @returns microseconds since 1970, or null when the text is no such timestamp.
 */
export function parseIsoTimestamp(text: string): bigint | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match.map((digits) => Number(digits ?? 0)) as number[];
  const date = { year: year ?? 0, month: month ?? 0, day: day ?? 0 };
  const time = { hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0 };
  const offset = offsetSeconds(match[8]);
  if (!isDate(date) || !isTime(time) || offset === null) return null;
  const seconds = daySeconds(date) + time.hour * 3_600 + time.minute * 60 + time.second - offset;
  return BigInt(seconds) * MICROSECONDS + fractionMicroseconds(match[7] ?? '');
}

interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

/** Not `Date.UTC`, which takes the years before 100 for those of the last century. */
function daySeconds({ year, month, day }: CalendarDate): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1_000;
}

function isDate(date: CalendarDate): boolean {
  const read = new Date(daySeconds(date) * 1_000);
  return read.getUTCMonth() === date.month - 1 && read.getUTCDate() === date.day;
}

/** 24:00:00 ends a day, and 60 is a leap second. */
function isTime({ hour, minute, second }: { hour: number; minute: number; second: number }): boolean {
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}

function offsetSeconds(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

function fractionMicroseconds(digits: string): bigint {
  const whole = BigInt(digits.slice(0, 6).padEnd(6, '0'));
  return /[1-9]/.test(digits.slice(6)) ? whole + 1n : whole;
}
