import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { type Finding, ok, problem, warning } from './finding.js';

/** Clocks that something sets keep closer than this. */
const MAX_SKEW_SECONDS = 5;
/** A bucket refuses requests, and addresses, whose time is further from its own. */
const MAX_S3_SKEW_SECONDS = 15 * 60;
const TIMEOUT_MS = 3_000;
export const CLOCK_ADVICE =
  'Synchronise the clocks of all machines of the installation with chrony or another NTP service, including the servers of Postgres and the bucket.';

export type Clock = () => number;

/** Leases and deadlines are judged on the clock of Postgres; signed addresses, and locks of Redis, on that of each machine. */
export async function checkDatabaseClock(dataSource: DataSource, now: Clock = Date.now): Promise<Finding> {
  const { ahead, asked } = await measureClockOffset(now, async () => {
    const [row] = await queryRows<{ ms: number }>(
      dataSource,
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
    );
    return row?.ms ?? Number.NaN;
  });
  if (!isOutOfSync(ahead, asked)) return ok('clock', 'agrees with the clock of Postgres');
  return warning(
    'clock',
    `this machine is ${formatOffset(ahead)} Postgres`,
    `${CLOCK_ADVICE} Until then signed URLs expire too early, too late or at once.`,
  );
}

/** @param endpoint of the bucket; any answer has a date @param now of this machine */
export async function checkBucketClock(endpoint: string, now: Clock = Date.now): Promise<Finding> {
  const name = 'bucket clock';
  const { ahead, asked } = await measureClockOffset(now, async () => {
    const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const { headers } = await fetch(endpoint, options);
    // Of a whole second, whose middle is the best guess.
    return Date.parse(headers.get('date') ?? '') + 500;
  });
  if (Number.isNaN(ahead)) return ok(name, `${endpoint} sends no time`);
  if (!isOutOfSync(ahead, asked)) return ok(name, 'agrees with the clock of this machine');
  const detail = `this machine is ${formatOffset(ahead)} ${endpoint}`;
  return Math.abs(ahead) < MAX_S3_SKEW_SECONDS
    ? warning(name, detail, CLOCK_ADVICE)
    : problem(name, `${detail}: it refuses signed requests (RequestTimeTooSkewed)`, CLOCK_ADVICE);
}

/** @returns seconds by which this machine is ahead of `other`, and how long the answer took, of which it says nothing */
async function measureClockOffset(
  now: Clock,
  other: () => Promise<number>,
): Promise<{ ahead: number; asked: number }> {
  const begun = now();
  const theirs = await other();
  const ended = now();
  return { ahead: ((begun + ended) / 2 - theirs) / 1000, asked: (ended - begun) / 1000 };
}

function isOutOfSync(ahead: number, asked: number): boolean {
  return Math.abs(ahead) - asked / 2 > MAX_SKEW_SECONDS;
}

function formatOffset(ahead: number): string {
  return `${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'}`;
}
