/** Shown to the caller of a job whose audio is missing. */
export const AUDIO_MISSING_REASON =
  'The audio is no longer there: it was deleted or lost before it was processed. Create the job anew and send the audio again.';
