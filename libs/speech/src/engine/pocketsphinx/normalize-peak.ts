/** Where the loudest sample of a raised sound is; the scale ends at 32,767. */
const TARGET_PEAK = 16_384;
/** 40 dB: of what is fainter than that, too few steps of the scale are left to win anything. */
const MAX_GAIN = 100;

/**
 * The samples made so loud that their loudest one is at half of the scale; what is louder stays. How loud somebody
 * speaks makes no difference to the engine, but the noise that it needs (`dithered`) drowns what is quiet.
 */
export function normalizePeak(samples: Int16Array): Int16Array {
  const peak = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  if (peak === 0 || peak >= TARGET_PEAK) return samples;
  const gain = Math.min(TARGET_PEAK / peak, MAX_GAIN);
  return samples.map((sample) => Math.round(sample * gain));
}
