import { readDatabaseClockMs } from '@app/database';
import type { DataSource } from 'typeorm';
import { type Finding, createOkFinding, createProblemFinding, createWarningFinding } from './finding.js';

/** Synchronised clocks differ by less. */
const MAX_SKEW_SECONDS = 5;
/** S3 rejects requests and signed URLs beyond this difference. */
const MAX_S3_SKEW_SECONDS = 15 * 60;
const TIMEOUT_MS = 3_000;
export const CLOCK_ADVICE =
  'Synchronise the clocks of all machines of the installation with chrony or another NTP service, including the servers of Postgres and the bucket.';

export type ReadLocalClockMs = () => number;

/** Leases and deadlines use the clock of Postgres; signed URLs and Redis locks that of each machine. */
export async function checkDatabaseClock(
  dataSource: DataSource,
  now: ReadLocalClockMs = Date.now,
): Promise<Finding> {
  const { offsetSeconds, responseSeconds } = await measureClockOffset(now, () =>
    readDatabaseClockMs(dataSource),
  );
  if (!isOutOfSync(offsetSeconds, responseSeconds))
    return createOkFinding('clock', 'agrees with the clock of Postgres');
  return createWarningFinding(
    'clock',
    `this machine is ${formatOffset(offsetSeconds)} Postgres`,
    `${CLOCK_ADVICE} Until then signed URLs expire too early, too late or at once.`,
  );
}

/** Reads the `Date` header of any response. */
export async function checkBucketClock(endpoint: string, now: ReadLocalClockMs = Date.now): Promise<Finding> {
  const name = 'bucket clock';
  const { offsetSeconds, responseSeconds } = await measureClockOffset(now, async () => {
    const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const { headers } = await fetch(endpoint, options);
    // The header has whole seconds: the middle of the second is the best estimate.
    return Date.parse(headers.get('date') ?? '') + 500;
  });
  if (Number.isNaN(offsetSeconds)) return createOkFinding(name, `${endpoint} sends no time`);
  if (!isOutOfSync(offsetSeconds, responseSeconds))
    return createOkFinding(name, 'agrees with the clock of this machine');
  const detail = `this machine is ${formatOffset(offsetSeconds)} ${endpoint}`;
  return Math.abs(offsetSeconds) < MAX_S3_SKEW_SECONDS
    ? createWarningFinding(name, detail, CLOCK_ADVICE)
    : createProblemFinding(
        name,
        `${detail}: it refuses signed requests (RequestTimeTooSkewed)`,
        CLOCK_ADVICE,
      );
}

/** The offset is uncertain by half the response time. */
async function measureClockOffset(
  now: ReadLocalClockMs,
  other: () => Promise<number>,
): Promise<{ offsetSeconds: number; responseSeconds: number }> {
  const startedAt = now();
  const otherTime = await other();
  const endedAt = now();
  return {
    offsetSeconds: ((startedAt + endedAt) / 2 - otherTime) / 1000,
    responseSeconds: (endedAt - startedAt) / 1000,
  };
}

function isOutOfSync(offsetSeconds: number, responseSeconds: number): boolean {
  return Math.abs(offsetSeconds) - responseSeconds / 2 > MAX_SKEW_SECONDS;
}

function formatOffset(offsetSeconds: number): string {
  return `${Math.abs(offsetSeconds).toFixed(0)} s ${offsetSeconds > 0 ? 'ahead of' : 'behind'}`;
}
