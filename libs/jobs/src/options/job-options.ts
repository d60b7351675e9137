import type { RedactionKind, TranscriptFormat } from '@app/transcript';

export type OutputType = TranscriptFormat;
/** All of them: `libs/jobs` knows the formats of transcripts as a type only. */
export const OUTPUT_TYPES = Object.keys({
  json: true,
  txt: true,
  srt: true,
  vtt: true,
  docx: true,
  pdf: true,
} satisfies Record<OutputType, true>) as readonly OutputType[];

export const JOB_MODELS = ['zephyr'] as const;
export const REDACTION_KINDS = [
  'email',
  'phone',
  'card',
  'iban',
  'ip',
  'url',
  'number',
] as const satisfies readonly RedactionKind[];

export const JOB_TIERS = ['standard'] as const;

/** Whether the channels of a recording are transcribed apart: if each has a speaker of its own, always, or never. */
export const MULTICHANNEL_MODES = ['auto', true, false] as const;
export type MultichannelMode = (typeof MULTICHANNEL_MODES)[number];

/** Upper bound of the options about the number of speakers. */
export const MAX_SPEAKER_COUNT = 100;

/** With all defaults applied, as stored and passed to the stages. */
export interface JobOptions {
  model: (typeof JOB_MODELS)[number];
  output_type: OutputType;
  word_timestamps: boolean;
  speaker_labels: boolean;
  nltk: boolean;
  /** False leaves out hesitations such as “um”. */
  filler_words: boolean;
  /** What is replaced by marks such as `[email]`; null for nothing. */
  redact: RedactionKind[] | null;
  /** Absent in rows of older versions. */
  multichannel?: MultichannelMode;
  /** How many speakers there are; null if unknown, absent in rows of older versions. */
  num_speakers?: number | null;
  min_speakers?: number | null;
  max_speakers?: number | null;
  tier: (typeof JOB_TIERS)[number];
  custom_vocabulary: string[] | null;
  callback_url: string | null;
}

export const DEFAULT_JOB_OPTIONS: Readonly<JobOptions> = Object.freeze({
  model: 'zephyr',
  output_type: 'json',
  word_timestamps: true,
  speaker_labels: true,
  nltk: true,
  filler_words: true,
  redact: null,
  multichannel: 'auto',
  num_speakers: null,
  min_speakers: null,
  max_speakers: null,
  tier: 'standard',
  custom_vocabulary: null,
  callback_url: null,
});

export type JobMetadata = Record<string, string>;

export const METADATA_LIMITS = {
  entries: 16,
  /** ASCII letters and digits, `_`, `.` and `-`. */
  keyCharacters: 40,
  /** Unicode characters. */
  valueCharacters: 200,
} as const;

export const METADATA_KEY_PATTERN = new RegExp(`^[\\w.-]{1,${METADATA_LIMITS.keyCharacters}}$`);
