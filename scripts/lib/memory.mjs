const MEBIBYTE = 1024 * 1024;

/**
 * For the environment of the service's programs: what native libraries let go of goes back to the system. Left to
 * itself the C library of GNU keeps more the larger the pieces are that were freed, up to 64 MiB and by chance: six
 * formats of 100,000 words peaked at 293 to 423 MB, and at 287 to 321 MB so. Other C libraries do not know the variable.
 */
export const GIVES_BACK = { MALLOC_TRIM_THRESHOLD_: String(4 * MEBIBYTE) };
