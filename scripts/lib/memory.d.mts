export const GIVES_BACK: Readonly<Record<'MALLOC_TRIM_THRESHOLD_', string>>;
