/** Half of full scale. */
const TARGET_PEAK = 16_384;
/** 40 dB: fainter audio has too few quantization steps left to profit. */
const MAX_GAIN = 100;

/** The engine ignores loudness, but `addDither` would drown quiet audio. */
export function amplifyQuietAudio(samples: Int16Array): Int16Array {
  const peak = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  if (peak === 0 || peak >= TARGET_PEAK) return samples;
  const gain = Math.min(TARGET_PEAK / peak, MAX_GAIN);
  return samples.map((sample) => Math.round(sample * gain));
}
