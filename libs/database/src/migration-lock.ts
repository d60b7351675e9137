/** An arbitrary lock id, for one migration at a time across processes. */
export const MIGRATION_LOCK_ID = 7_305_812;
