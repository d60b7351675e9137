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
