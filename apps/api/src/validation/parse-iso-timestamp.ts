/** Date and time, extended or basic. Decoding a query turns a plus sign into a space. */
const ISO_8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,20}))?)?)?(Z|[+\- ]\d\d(?::?\d\d)?)?)?$/i;

const MICROSECONDS = 1_000_000n;

/**
 * Parses an ISO 8601 timestamp to microseconds. Without an offset it is UTC. Digits beyond the sixth are rounded up, so
 * that earlier times stay earlier than the result.
 * @returns microseconds since 1970, or null for an invalid timestamp.
 */
export function parseIsoTimestampToMicroseconds(text: string): bigint | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match.map((digits) => Number(digits ?? 0)) as number[];
  const date = { year: year ?? 0, month: month ?? 0, day: day ?? 0 };
  const time = { hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0 };
  const offset = parseOffsetSeconds(match[8]);
  if (!isValidDate(date) || !isValidTime(time) || offset === null) return null;
  const seconds = toEpochSeconds(date) + time.hour * 3_600 + time.minute * 60 + time.second - offset;
  return BigInt(seconds) * MICROSECONDS + parseFractionMicroseconds(match[7] ?? '');
}

interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

/** Not `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999. */
function toEpochSeconds({ year, month, day }: CalendarDate): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1_000;
}

function isValidDate(date: CalendarDate): boolean {
  const read = new Date(toEpochSeconds(date) * 1_000);
  return read.getUTCMonth() === date.month - 1 && read.getUTCDate() === date.day;
}

/** 24:00:00 ends a day, and 60 is a leap second. */
function isValidTime({ hour, minute, second }: { hour: number; minute: number; second: number }): boolean {
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}

function parseOffsetSeconds(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

function parseFractionMicroseconds(digits: string): bigint {
  const whole = BigInt(digits.slice(0, 6).padEnd(6, '0'));
  return /[1-9]/.test(digits.slice(6)) ? whole + 1n : whole;
}
