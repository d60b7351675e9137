/** Metadata of a job from its caller: short texts by key. */
export type JobMetadata = Record<string, string>;

export const METADATA_LIMITS = {
  entries: 16,
  /** Maximum length of a key; its characters are ASCII letters and digits, `_`, `.` and `-`. */
  keyCharacters: 40,
  /** Maximum length of a value in Unicode characters. */
  valueCharacters: 200,
} as const;

export const METADATA_KEY = new RegExp(`^[\\w.-]{1,${METADATA_LIMITS.keyCharacters}}$`);
