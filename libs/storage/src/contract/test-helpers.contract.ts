import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

export const MIB = 1024 * 1024;

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Short to print when two long buffers differ. */
export function formatLengthAndSha256(bytes: Uint8Array): string {
  return `${bytes.byteLength}:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A place in the store that no other test uses. */
export function freshPrefix(): string {
  return `contract/${randomBytes(8).toString('hex')}/`;
}

/** Names of an outcome, for tests that expect a refusal. */
export async function getRejectionErrorName(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
  return 'none';
}

/** The same URL with one query parameter changed. */
export function replaceQueryParameter(
  address: string,
  parameter: RegExp,
  change: (value: string) => string,
): string {
  const url = new URL(address);
  const found = [...url.searchParams].find(([name]) => parameter.test(name));
  if (found === undefined) throw new Error(`The URL has no parameter like ${parameter}.`);
  url.searchParams.set(found[0], change(found[1]));
  return url.href;
}
