/** What a caller gives a job to find it again: short texts under names of its own. */
export type JobMetadata = Record<string, string>;

export const METADATA_LIMITS = {
  entries: 16,
  /** Characters of a key: letters, digits, `_`, `.` and `-` of ASCII. */
  keyCharacters: 40,
  /** Unicode characters of a value. */
  valueCharacters: 200,
} as const;

export const METADATA_KEY = new RegExp(`^[\\w.-]{1,${METADATA_LIMITS.keyCharacters}}$`);
