/** Any number that is ours alone: one migration at a time over all processes. */
export const MIGRATION_LOCK_ID = 7_305_812;
