import type { Config } from '@app/config';

/** For what a program does beside both timeouts. */
const EXTRA_SHUTDOWN_MS = 5_000;

/** @returns milliseconds after SIGTERM in which a program ends by itself */
export function computeShutdownGraceMs({
  drainSeconds,
  shutdownSeconds,
}: Pick<Config['service'], 'drainSeconds' | 'shutdownSeconds'>): number {
  return (drainSeconds + shutdownSeconds) * 1000 + EXTRA_SHUTDOWN_MS;
}
