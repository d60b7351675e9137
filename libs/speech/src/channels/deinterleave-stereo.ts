/** One block of samples of each channel, of equal length. */
export type ChannelSamplesPair = readonly [left: Int16Array, right: Int16Array];

/** @param pairs interleaved: left, right, left, right, … */
export function deinterleaveStereo(pairs: Int16Array): ChannelSamplesPair {
  const left = new Int16Array(pairs.length >> 1);
  const right = new Int16Array(left.length);
  for (let index = 0; index < left.length; index += 1) {
    left[index] = pairs[2 * index] ?? 0;
    right[index] = pairs[2 * index + 1] ?? 0;
  }
  return [left, right];
}
