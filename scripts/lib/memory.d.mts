export const LETS_GO: Readonly<Record<'MALLOC_TRIM_THRESHOLD_', string>>;
