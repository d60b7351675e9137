/** Defaults of the configuration. */
const DEFAULT_SHUTDOWN_SECONDS = 25;
const DEFAULT_DRAIN_SECONDS = 1;
/** For what a program does beside both timeouts. */
const EXTRA_SHUTDOWN_MS = 5_000;

/**
 * Works before the build, which has the configuration.
 *
 * @param {NodeJS.ProcessEnv} env of a program
 * @returns {number} milliseconds after SIGTERM in which the program ends by itself
 */
export function computeShutdownGraceMs({ SHUTDOWN_SECONDS, DRAIN_SECONDS }) {
  const shutdownSeconds = Number(SHUTDOWN_SECONDS || DEFAULT_SHUTDOWN_SECONDS);
  const drainSeconds = Number(DRAIN_SECONDS || DEFAULT_DRAIN_SECONDS);
  return (drainSeconds + shutdownSeconds) * 1000 + EXTRA_SHUTDOWN_MS;
}
