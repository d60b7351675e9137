const NUMBER = new Intl.NumberFormat();
const SIGNED = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Such as “1 credit” or “2,000 credits”. */
export function formatCount(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : other}`;
}

/** With `+` or `−`. */
export function formatSignedNumber(value: number): string {
  return SIGNED.format(value);
}

/** @param day `YYYY-MM-DD` in UTC */
export function formatDay(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}
