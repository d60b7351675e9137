/** Half of full scale. */
const TARGET_PEAK = 16_384;
/** 40 dB: fainter audio has too few quantization steps left to profit. */
const MAX_GAIN = 100;

/** The engine ignores loudness, but dither would mask quiet audio. */
export function amplifyQuietAudio(samples: Int16Array): Int16Array {
  const peak = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  if (peak === 0 || peak >= TARGET_PEAK) return samples;
  const gain = Math.min(TARGET_PEAK / peak, MAX_GAIN);
  return samples.map((sample) => Math.round(sample * gain));
}

/** A quarter of the samples is raised by one: those where the upper two of 32 bits are zero. */
const BITS_LEFT = 30;
const MAX_SAMPLE = 32_767;

/**
 * Returns a copy with inaudible noise, because the logarithm of digital silence is undefined. The noise depends only on the
 * sample index, so equal audio gives equal words. (pocketsphinx's own dither continues across utterances.)
 */
export function addDither(samples: Int16Array): Int16Array {
  const noisy = samples.slice();
  let state = 1;
  for (let index = 0; index < noisy.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const sample = noisy[index] ?? 0;
    // The upper bits, because the lower bits of a linear congruential generator have short periods.
    if (state >>> BITS_LEFT === 0 && sample < MAX_SAMPLE) noisy[index] = sample + 1;
  }
  return noisy;
}
