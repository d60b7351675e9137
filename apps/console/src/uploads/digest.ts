import pTimeout from 'p-timeout';

/** Read into memory at a time. */
const SLICE_BYTES = 4 * 2 ** 20;
/** Drives of other machines, and folders of a cloud, may never deliver what the browser asks for. */
const READ_MS = 60_000;

/** A piece of a file did not arrive in time. */
export class FileReadTimeoutError extends Error {
  override readonly name = 'FileReadTimeoutError';
}

/** @throws what the browser throws for a file that cannot be read, such as a folder; FileReadTimeoutError, or the reason of the signal */
export async function assertReadable(file: Blob, signal: AbortSignal): Promise<void> {
  await pTimeout(file.slice(0, 1).arrayBuffer(), boundRead(signal));
}

/**
 * SHA-256 of the SHA-256 digests of consecutive slices: browsers hash buffers only, and a part may not fit into one.
 * @returns null where the browser has no Web Crypto, which is without https
 * @throws FileReadTimeoutError, or the reason of the signal
 */
export async function computeDigestOfSliceDigests(blob: Blob, signal?: AbortSignal): Promise<string | null> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (!subtle) return null;
  const digests: ArrayBuffer[] = [];
  for await (const slice of readSlices(blob, signal)) digests.push(await subtle.digest('SHA-256', slice));
  const all = await subtle.digest('SHA-256', await new Blob(digests).arrayBuffer());
  return Array.from(new Uint8Array(all), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Each slice is in the buffer of the slice before, where the browser can read into a given buffer: buffers of their own
 * are freed so late that a tab holds hundreds of megabytes.
 */
async function* readSlices(blob: Blob, signal: AbortSignal | undefined): AsyncGenerator<BufferSource> {
  const reader = openByteReader(blob);
  const bound = boundRead(signal);
  let buffer = new ArrayBuffer(SLICE_BYTES);
  try {
    for (let start = 0; start < blob.size; start += SLICE_BYTES) {
      const size = Math.min(SLICE_BYTES, blob.size - start);
      if (reader === null) yield await pTimeout(blob.slice(start, start + size).arrayBuffer(), bound);
      else {
        buffer = await pTimeout(fill(reader, buffer, size), bound);
        yield new Uint8Array(buffer, 0, size);
      }
    }
  } finally {
    // Not awaited: it may wait for the read that was given up.
    reader?.cancel().catch(() => undefined);
  }
}

function boundRead(signal: AbortSignal | undefined) {
  return { milliseconds: READ_MS, message: new FileReadTimeoutError(), ...(signal && { signal }) };
}

/** Null where streams of files cannot read into a given buffer. */
function openByteReader(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}

/** @returns the buffer, which each read moves to another object */
async function fill(
  reader: ReadableStreamBYOBReader,
  buffer: ArrayBuffer,
  size: number,
): Promise<ArrayBuffer> {
  let filled = 0;
  while (filled < size) {
    const { value } = await reader.read(new Uint8Array(buffer, filled, size - filled));
    if (!value || value.byteLength === 0) throw new Error('The file became shorter while it was read.');
    buffer = value.buffer;
    filled += value.byteLength;
  }
  return buffer;
}

/** Identifies a file by its size and the digests of its first parts. */
export interface FileFingerprint {
  size: number;
  partSize: number;
  /** Digests of consecutive parts from the start; fewer than the file has while it is being sent. */
  digests: readonly (string | null)[];
}

/** Whether a file that somebody chose has the bytes of an earlier one. */
export async function matchesFingerprint(
  file: Blob,
  { size, partSize, digests }: FileFingerprint,
): Promise<boolean> {
  if (file.size !== size) return false;
  for (const [index, digest] of digests.entries()) {
    const part = file.slice(index * partSize, (index + 1) * partSize);
    if (digest !== null && (await computeDigestOfSliceDigests(part)) !== digest) return false;
  }
  return true;
}
