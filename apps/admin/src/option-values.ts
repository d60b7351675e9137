import { CommandRefused } from './output.js';

const LARGEST_LIST = 100_000;

/** The value of `--limit`. @throws CommandRefused */
export function parseLimit(text: string, largest = LARGEST_LIST): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > largest)
    throw new CommandRefused(`--limit takes a whole number from 1 to ${largest}.`);
  return limit;
}

/** A number of credits from 1. @throws CommandRefused naming the option */
export function parseCredits(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandRefused(`${option} takes a whole number from 1.`);
  return Number(text);
}

/** One of the given words. @throws CommandRefused naming the option */
export function parseChoice<T extends string>(option: string, choices: readonly T[], text: string): T {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new CommandRefused(`${option} takes ${choices.join(', ')}.`);
  return choice;
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A time such as `90s`, `30m`, `24h` or `7d`, in seconds. @throws CommandRefused naming the option */
export function parseSeconds(option: string, text: string, longest: number): number {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNITS[unit] ?? 0);
  if (seconds < 1 || seconds > longest)
    throw new CommandRefused(`${option} takes a time such as 30m, 24h or 7d, up to ${longest / 86_400}d.`);
  return seconds;
}

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A moment in ISO 8601; without an offset it is UTC. @throws CommandRefused naming the option */
export function parseMoment(option: string, text: string): Date {
  const [, time, , , offset] = MOMENT.exec(text) ?? [];
  const moment = new Date(time !== undefined && offset === undefined ? `${text}Z` : text);
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime()))
    throw new CommandRefused(`${option} takes a moment such as 2026-01-31T12:00:00Z.`);
  return moment;
}
