import { createHash } from 'node:crypto';
import type { Bytes } from './audio.js';
import type { Client } from './client.js';
import { type CreatedMultipart, type Part, putPart } from './multipart.js';

/** Bytes of one part, different for every part, that no program can decode. */
export function partBytes(size: number, partNumber: number): Bytes {
  const bytes = new Uint8Array(size).fill(0x41);
  new DataView(bytes.buffer).setUint32(0, partNumber);
  return bytes;
}

/** Sends every part, some at once. @returns the parts as they were sent, and the hash of all bytes in order (hex). */
export async function sendLarge(
  client: Client,
  created: CreatedMultipart,
  { fileSize, atOnce }: { fileSize: number; atOnce: number },
): Promise<{ parts: Part[]; sha256: string }> {
  const whole = createHash('sha256');
  const waiting = created.parts.map(({ part_number }) => {
    const bytes = partBytes(partSize(created, fileSize, part_number), part_number);
    whole.update(bytes);
    return part_number;
  });
  const parts: Part[] = [];
  const sender = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      parts.push(await putPart(client, created, next, partBytes(partSize(created, fileSize, next), next)));
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return { parts, sha256: whole.digest('hex') };
}

function partSize({ part_size, num_parts }: CreatedMultipart, fileSize: number, partNumber: number): number {
  return partNumber < num_parts ? part_size : fileSize - part_size * (num_parts - 1);
}
