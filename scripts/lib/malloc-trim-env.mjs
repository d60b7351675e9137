const MEBIBYTE = 1024 * 1024;

/**
 * Environment of the programs: makes glibc return freed memory of native libraries to the system. By default it retains
 * up to 64 MiB: rendering six formats of 100,000 words peaked at 293 to 423 MB, and at 287 to 321 MB with this setting. Other
 * C libraries ignore the variable.
 */
export const MALLOC_TRIM_ENV = { MALLOC_TRIM_THRESHOLD_: String(4 * MEBIBYTE) };
