const SLICE_BYTES = 64 * 1024;

/**
 * A copy of bytes as a body that Node writes slice by slice. Its `fetch` allows five minutes for a response after each write, and writes a
 * `Uint8Array` at once.
 */
export function copyToBlobOfSlices(bytes: Uint8Array<ArrayBuffer>): Blob {
  const slices: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES)
    slices.push(bytes.subarray(start, start + SLICE_BYTES));
  return new Blob(slices);
}
