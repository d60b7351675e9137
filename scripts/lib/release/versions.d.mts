export const VERSIONED_FILES: readonly string[];
