import type { FileHandle } from 'node:fs/promises';

/** A hash has 40 characters, a count up to 20. */
const MAX_LINE_BYTES = 128;
const NEWLINE = 10;
const LINE = /^([0-9A-Fa-f]{40})(?::\d{1,20})?\r?$/;

export interface BreachedPasswordHashLine {
  /** SHA-1 as 40 hexadecimal digits, in upper case. */
  hash: string;
  /** Position of its first byte. */
  start: number;
  /** Position of the line after it. */
  next: number;
}

/** @returns the size in bytes without line ends and spaces after the last line; 0 if there is no line */
export async function readSizeWithoutTrailingSpace(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const start = Math.max(0, size - MAX_LINE_BYTES);
  const tail = (await readBytes(file, start, size)).toString('latin1');
  return start + tail.trimEnd().length;
}

/**
 * @param position of any byte of the line, in bytes
 * @param size of all lines, in bytes
 * @throws Error if it is no SHA-1 hash with or without a count
 */
export async function readHashLineAt(
  file: FileHandle,
  position: number,
  size: number,
): Promise<BreachedPasswordHashLine> {
  const windowStart = Math.max(0, position - MAX_LINE_BYTES);
  const bytes = await readBytes(file, windowStart, Math.min(size, position + MAX_LINE_BYTES));
  const offset = position - windowStart;
  // The line end itself belongs to its line.
  const lineStart = offset === 0 ? 0 : bytes.lastIndexOf(NEWLINE, offset - 1) + 1;
  const found = bytes.indexOf(NEWLINE, offset);
  const lineEnd = found === -1 ? bytes.length : found;
  const start = windowStart + lineStart;
  const hash = LINE.exec(bytes.toString('latin1', lineStart, lineEnd))?.[1];
  if (hash === undefined)
    throw new Error(
      `has no line of 40 hexadecimal digits (SHA-1), with or without a count, at byte ${start}`,
    );
  return { hash: hash.toUpperCase(), start, next: windowStart + lineEnd + 1 };
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
