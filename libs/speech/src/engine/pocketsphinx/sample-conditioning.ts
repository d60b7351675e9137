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

/** Of four samples one is raised, which is too little to hear: where the two upper bits of 32 are zero. */
const BITS_LEFT = 30;
const MAX_SAMPLE = 32_767;

/**
 * A copy of the samples with the faintest noise: digital silence has no logarithm. The noise depends on the place of a
 * sample alone, so that the same sound gives the same words, whatever its process heard before. (That of the program
 * goes on from one utterance to the next.)
 */
export function addDither(samples: Int16Array): Int16Array {
  const noisy = samples.slice();
  let state = 1;
  for (let index = 0; index < noisy.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const sample = noisy[index] ?? 0;
    // The upper bits: the lower ones of such a series repeat soon.
    if (state >>> BITS_LEFT === 0 && sample < MAX_SAMPLE) noisy[index] = sample + 1;
  }
  return noisy;
}
