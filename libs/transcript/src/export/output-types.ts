/** Every format a job may ask for. */
export const OUTPUT_TYPES = ['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'] as const;

export type OutputType = (typeof OUTPUT_TYPES)[number];
