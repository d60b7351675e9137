/**
 * `count` vectors of zeros, in one piece of memory: a long file has a hundred thousand, and as many small pieces would
 * take several times the room, and be given back late.
 */
export function vectors(count: number, length: number): Float64Array[] {
  const block = new Float64Array(count * length);
  return Array.from({ length: count }, (_, index) => block.subarray(index * length, (index + 1) * length));
}
