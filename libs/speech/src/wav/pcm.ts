import { endianness } from 'node:os';

/** Bytes of a sample. */
export const BYTES_PER_SAMPLE = 2;

/** Files and decoders have the lower byte first, as nearly every machine has. */
const IS_LITTLE_ENDIAN = endianness() === 'LE';

/**
 * The samples in bytes of 16-bit PCM, lower byte first; a byte over is left out. In one go: an hour of sound has 58
 * million samples, and each is read several times on its way.
 */
export function bytesToSamples(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  bytes.copy(viewAsBytes(samples));
  return toLittleEndian(samples);
}

/** Writes samples into `target` as 16-bit PCM, lower byte first, from byte `at` on. */
export function writeSamples(samples: Int16Array, target: Buffer, at: number): void {
  viewAsBytes(IS_LITTLE_ENDIAN ? samples : toLittleEndian(samples.slice())).copy(target, at);
}

/** The memory of the samples, no copy. */
function viewAsBytes({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** In place; turns the order of the machine into that of files, and back. */
function toLittleEndian(samples: Int16Array): Int16Array {
  if (!IS_LITTLE_ENDIAN) viewAsBytes(samples).swap16();
  return samples;
}
