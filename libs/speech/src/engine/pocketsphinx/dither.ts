/** Of four samples one is raised, which is too little to hear. */
const ONE_IN = 4;

/**
 * A copy of the samples with the faintest noise: digital silence has no logarithm. The noise depends on the place of a
 * sample alone, so that the same chunk gives the same words, whatever its process heard before. (That of the program
 * goes on from one utterance to the next.)
 */
export function dithered(samples: Int16Array): Int16Array {
  let state = 1;
  return samples.map((sample) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The upper bits: the lower ones of such a series repeat soon.
    const raised = state < 2 ** 32 / ONE_IN;
    return raised && sample < 32_767 ? sample + 1 : sample;
  });
}
