const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const STEPS = [
  { unit: 'second', seconds: 60 },
  { unit: 'minute', seconds: 3_600 },
  { unit: 'hour', seconds: 86_400 },
  { unit: 'day', seconds: 7 * 86_400 },
] as const;

export function formatDateTime(time: string): string {
  return DATE_TIME.format(new Date(time));
}

export function formatFullTime(time: string): string {
  return FULL.format(new Date(time));
}

/** Such as “5 minutes ago”; a date for what is more than a week away. */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000);
  let unitSeconds = 1;
  for (const step of STEPS) {
    if (Math.abs(seconds) < step.seconds)
      return RELATIVE.format(Math.round(seconds / unitSeconds), step.unit);
    unitSeconds = step.unit === 'second' ? 60 : step.unit === 'minute' ? 3_600 : 86_400;
  }
  return formatDateTime(time);
}

/** Browser and system, as far as the header names them. */
export function describeUserAgent(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : (/(Firefox|Chrome|Safari)\//.exec(userAgent)?.[1] ?? null);
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1] ?? null;
  const parts = [browser, system === 'Mac OS X' ? 'macOS' : system].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : userAgent.slice(0, 60);
}
