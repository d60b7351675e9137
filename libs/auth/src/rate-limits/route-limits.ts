/** Requests per minute and API key for each route; each limit is counted separately. */
export const ROUTE_LIMITS = {
  account: 120,
  upload: 120,
  'upload.progress': 600,
  'upload.complete': 120,
  'multipart.create': 120,
  'multipart.complete': 120,
  'multipart.abort': 120,
  transcribe: 120,
  'jobs.list': 120,
  'jobs.get': 120,
  'jobs.stream': 120,
  'jobs.transcript': 120,
  'jobs.speakers': 120,
  'jobs.check-failed': 60,
  'jobs.cancel': 30,
} as const;

export type LimitName = keyof typeof ROUTE_LIMITS;

/** Limits of a key that differ from the defaults. */
export type LimitOverrides = Partial<Record<LimitName, number>>;

/** The maximum limit, because the log of a bucket has an entry for each request. */
export const MAX_REQUESTS_PER_MINUTE = 1_000_000;

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(ROUTE_LIMITS, name);
}

/** Requests per minute. `factor` multiplies every limit. */
export function resolveLimit(
  name: LimitName,
  overrides: LimitOverrides | null | undefined,
  factor: number,
): number {
  return Math.max(1, Math.floor((overrides?.[name] ?? ROUTE_LIMITS[name]) * factor));
}

/**
 * Every limit of a key by name, in requests per minute; null for each if a `factor` of 0 turns limits off.
 */
export function resolveAllLimits(
  overrides: LimitOverrides | null | undefined,
  factor: number,
): Record<LimitName, number | null> {
  const names = Object.keys(ROUTE_LIMITS) as LimitName[];
  const limits = names.map((name) => [name, factor === 0 ? null : resolveLimit(name, overrides, factor)]);
  return Object.fromEntries(limits) as Record<LimitName, number | null>;
}
