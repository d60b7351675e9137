/** Requests per minute and API key; each limit is counted separately. */
export const API_LIMITS_PER_MINUTE = {
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
  'jobs.delete': 60,
} as const;

export type ApiRateLimitName = keyof typeof API_LIMITS_PER_MINUTE;

/** Requests per minute and user of the console, for what sends, charges or fills tables; each is counted separately. */
export const CONSOLE_LIMITS_PER_MINUTE = {
  'console.test-event': 10,
  'console.replay': 60,
  'console.replay-failed': 6,
  'console.endpoint': 30,
  'console.signing-secret': 20,
  'console.top-up': 10,
  'console.payment-refresh': 30,
  'console.card': 10,
  'console.auto-recharge': 10,
  'console.alert': 10,
  'console.invitation': 20,
  'console.key': 30,
  'console.limit-request': 10,
  'console.change': 30,
} as const;

export type ConsoleRateLimitName = keyof typeof CONSOLE_LIMITS_PER_MINUTE;

const DEFAULT_LIMITS = { ...API_LIMITS_PER_MINUTE, ...CONSOLE_LIMITS_PER_MINUTE };

/** Names of the limits of the API and the console. */
export function listRateLimitNames(): string[] {
  return Object.keys(DEFAULT_LIMITS);
}

/** Requests per minute. */
export function getDefaultRateLimit(name: ApiRateLimitName | ConsoleRateLimitName): number {
  return DEFAULT_LIMITS[name];
}

/** Requests per minute. */
export type RateLimitOverrides = Partial<Record<ApiRateLimitName, number>>;

/** The log of a bucket has an entry for each request. */
export const MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE = 1_000_000;

export function isApiRateLimitName(name: string): name is ApiRateLimitName {
  return Object.hasOwn(API_LIMITS_PER_MINUTE, name);
}

/** Requests per minute. `factor` multiplies every limit. */
export function resolveRateLimit(
  name: ApiRateLimitName | ConsoleRateLimitName,
  overrides: RateLimitOverrides | null | undefined,
  factor: number,
): number {
  const override = isApiRateLimitName(name) ? overrides?.[name] : undefined;
  return Math.max(1, Math.floor((override ?? getDefaultRateLimit(name)) * factor));
}

/** Requests per minute; null if a `factor` of 0 turns limits off. */
export function resolveApiRateLimits(
  overrides: RateLimitOverrides | null | undefined,
  factor: number,
): Record<ApiRateLimitName, number | null> {
  const names = Object.keys(API_LIMITS_PER_MINUTE) as ApiRateLimitName[];
  const limits = names.map((name) => [name, factor === 0 ? null : resolveRateLimit(name, overrides, factor)]);
  return Object.fromEntries(limits) as Record<ApiRateLimitName, number | null>;
}
