import { formatNumber } from './numbers.ts';

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const UNITS = [
  { unit: 'second', seconds: 1, limit: 60 },
  { unit: 'minute', seconds: 60, limit: 3_600 },
  { unit: 'hour', seconds: 3_600, limit: 86_400 },
  { unit: 'day', seconds: 86_400, limit: 7 * 86_400 },
] as const;

export function formatDateTime(time: string): string {
  return DATE_TIME.format(new Date(time));
}

export function formatFullDateTime(time: string): string {
  return FULL.format(new Date(time));
}

export function isPast(time: string, now = Date.now()): boolean {
  return new Date(time).getTime() <= now;
}

/** Such as “5 minutes ago”; a date for what is more than a week away. */
export function formatRelative(time: string, now = Date.now()): string {
  const difference = Math.round((new Date(time).getTime() - now) / 1000);
  const step = UNITS.find(({ limit }) => Math.abs(difference) < limit);
  return step ? RELATIVE.format(Math.round(difference / step.seconds), step.unit) : formatDateTime(time);
}

/** In the order of the search: Android names Linux as well, and an iPhone macOS. */
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** Browser and system, as far as the header names them. */
export function describeUserAgent(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : (/(Firefox|Chrome|Safari)\//.exec(userAgent)?.[1] ?? null);
  const system = SYSTEMS.find((name) => userAgent.includes(name)) ?? null;
  const parts = [browser, system === 'Mac OS X' ? 'macOS' : system].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : userAgent.slice(0, 60);
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Such as “16.8 MB”. */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: BYTE_UNITS[power] ?? 'byte',
    // The short name of a byte has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** power);
}

/** @param share 0 to 1 */
export function formatPercent(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent' }).format(share);
}

/** Such as `1:02:03`, or `4:05` below an hour. Lengths of recordings and positions in them have this form on every page. */
export function formatDurationAsClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${formatNumber(hours)}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

const WORDED_UNITS = [
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** Such as `1 hr, 40 min`: amounts of audio, whose unit a reader could not tell from `1:40`. The two largest units. */
export function formatDurationInWords(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const parts = WORDED_UNITS.flatMap(({ unit, seconds: size }) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [{ unit, count }] : [];
  });
  const shown = parts.length > 0 ? parts.slice(0, 2) : [{ unit: 'second', count: 0 }];
  return new Intl.ListFormat(undefined, { type: 'unit', style: 'short' }).format(
    shown.map(({ unit, count }) =>
      new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }).format(count),
    ),
  );
}

/** Such as `+4:05`. */
export function formatElapsedSinceStart(start: string, time: string): string {
  const seconds = (new Date(time).getTime() - new Date(start).getTime()) / 1000;
  return `+${formatDurationAsClock(seconds)}`;
}
