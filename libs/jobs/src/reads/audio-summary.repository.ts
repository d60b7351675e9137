/** The sizes of the audio, and what preprocess found out about it. */
export interface AudioSummary {
  /** `file_size` in bytes; null if not declared. */
  declaredSize: number | null;
  /** Bytes. */
  storedSize: number | null;
  /** Set only if clearly less could be decoded. */
  declaredSeconds: number | null;
  /** Seconds that count as silence, because they could not be decoded; null if they are few. */
  damagedSeconds: number | null;
  /** Whether the channels were transcribed apart; null for jobs of older versions. */
  multichannel: boolean | null;
}

export const UNKNOWN_AUDIO_SUMMARY: AudioSummary = {
  declaredSize: null,
  storedSize: null,
  declaredSeconds: null,
  damagedSeconds: null,
  multichannel: null,
};

/** Sizes and result of job `$1`, which was chunked. */
export const SELECT_AUDIO_SUMMARY = {
  name: 'audio-summary',
  text: `
    SELECT declared_size AS "declaredSize", stored_size AS "storedSize",
      (stage.result->>'declaredSeconds')::float8 AS "declaredSeconds",
      (stage.result->>'damagedSeconds')::float8 AS "damagedSeconds",
      (stage.result->>'multichannel')::boolean AS multichannel
    FROM job LEFT JOIN job_stage stage ON stage.job_id = job.id AND stage.name = 'preprocess' WHERE job.id = $1`,
};
