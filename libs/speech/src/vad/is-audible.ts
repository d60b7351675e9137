/** -72 dB below full scale. */
const SILENCE_AMPLITUDE = 8;

/** Whisper models hallucinate text on silence. */
export function isAudible(samples: Int16Array): boolean {
  return samples.some((sample) => Math.abs(sample) > SILENCE_AMPLITUDE);
}
