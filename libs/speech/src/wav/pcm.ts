import { endianness } from 'node:os';

/** Bytes of a sample. */
export const SAMPLE_BYTES = 2;

/** Files and decoders have the lower byte first, as nearly every machine has. */
const LOW_BYTE_FIRST = endianness() === 'LE';

/**
 * The samples in bytes of 16-bit PCM, lower byte first; a byte over is left out. In one go: an hour of sound has 58
 * million samples, and each is read several times on its way.
 */
export function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / SAMPLE_BYTES));
  bytes.copy(bytesIn(samples));
  return inFileOrder(samples);
}

/** Writes samples into `target` as 16-bit PCM, lower byte first, from byte `at` on. */
export function writeSamples(samples: Int16Array, target: Buffer, at: number): void {
  bytesIn(LOW_BYTE_FIRST ? samples : inFileOrder(samples.slice())).copy(target, at);
}

/** The memory of the samples, no copy. */
function bytesIn({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** In place; turns the order of the machine into that of files, and back. */
function inFileOrder(samples: Int16Array): Int16Array {
  if (!LOW_BYTE_FIRST) bytesIn(samples).swap16();
  return samples;
}
