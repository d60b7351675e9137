export const MALLOC_TRIM_ENV: Readonly<Record<'MALLOC_TRIM_THRESHOLD_', string>>;
