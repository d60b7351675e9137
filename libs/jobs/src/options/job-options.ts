/** Formats of the stored transcript. */
export const OUTPUT_TYPES = ['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'] as const;
export type OutputType = (typeof OUTPUT_TYPES)[number];

export const MODELS = ['zephyr'] as const;
export const TIERS = ['standard'] as const;

/** The options of a job with all defaults applied, as stored and passed to the stages. */
export interface JobOptions {
  model: (typeof MODELS)[number];
  output_type: OutputType;
  word_timestamps: boolean;
  speaker_labels: boolean;
  nltk: boolean;
  tier: (typeof TIERS)[number];
  custom_vocabulary: string[] | null;
  callback_url: string | null;
}

export const DEFAULT_OPTIONS: Readonly<JobOptions> = Object.freeze({
  model: 'zephyr',
  output_type: 'json',
  word_timestamps: true,
  speaker_labels: true,
  nltk: true,
  tier: 'standard',
  custom_vocabulary: null,
  callback_url: null,
});
