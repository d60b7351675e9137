/** Longest delay after the second crash; each further crash doubles it. */
export const CRASH_DELAY_BASE_SECONDS = 10;
export const MAX_CRASH_DELAY_SECONDS = 900;

/** @param crashes of the stage before this one @returns a random delay: the stage that caused the crash is left alone */
export function chooseCrashDelaySeconds(crashes: number): number {
  if (crashes === 0) return 0;
  const longest = CRASH_DELAY_BASE_SECONDS * 2 ** (crashes - 1);
  return Math.random() * Math.min(MAX_CRASH_DELAY_SECONDS, longest);
}
