import { MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE } from '@app/auth';
import { isPrintableText } from '@app/errors';
import type { CommandOption } from './operator-command.js';
import { CommandError } from './output.js';

const MAX_LIMIT = 100_000;

/** @throws CommandError */
export function parseRowLimit(text: string, max = MAX_LIMIT): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > max) throw new CommandError(`--limit takes a whole number from 1 to ${max}.`);
  return limit;
}

export const ROW_LIMIT_OPTION: CommandOption = {
  flags: '--limit <n>',
  description: 'number of rows (default 50)',
  parse: (text) => parseRowLimit(text),
};

/** By the rules of the console. @param subject such as `--name` @throws CommandError */
export function parseName(text: string, subject: string, maxLength: number): string {
  if (text.trim() === '' || [...text].length > maxLength)
    throw new CommandError(`${subject} must have 1 to ${maxLength} characters.`);
  return parsePrintableText(text, subject);
}

/** @param subject such as `--note` @throws CommandError */
export function parsePrintableText(text: string, subject: string): string {
  if (!isPrintableText(text)) throw new CommandError(`${subject} must have no control characters.`);
  return text;
}

/** @throws CommandError */
export function parseCredits(text: string, option: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandError(`${option} takes a whole number from 1.`);
  return Number(text);
}

/** Of `--per-minute`. @throws CommandError */
export function parseRequestsPerMinute(text: string): number {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE) return limit;
  throw new CommandError(`--per-minute must be a number from 1 to ${MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE}.`);
}

/** @throws CommandError with all choices */
export function parseChoice<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new CommandError(`${option} takes ${choices.join(', ')}.`);
  return choice;
}

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @param text such as `90s`, `30m`, `24h` or `7d` @throws CommandError */
export function parseDurationSeconds(text: string, option: string, maxSeconds: number): number {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? 0);
  if (seconds < 1 || seconds > maxSeconds)
    throw new CommandError(`${option} takes a time such as 30m, 24h or 7d, up to ${maxSeconds / 86_400}d.`);
  return seconds;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** @param text ISO 8601; UTC unless it has an offset @throws CommandError */
export function parseTimestamp(text: string, option: string): Date {
  const [, time, , , offset] = TIMESTAMP.exec(text) ?? [];
  const moment = new Date(time !== undefined && offset === undefined ? `${text}Z` : text);
  if (!TIMESTAMP.test(text) || Number.isNaN(moment.getTime()))
    throw new CommandError(`${option} takes a moment such as 2026-01-31T12:00:00Z.`);
  return moment;
}
