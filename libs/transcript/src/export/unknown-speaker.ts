/** Written where speech of nobody known follows that of a speaker, who would else seem to say it. */
export const UNKNOWN_SPEAKER = 'Unknown speaker';
