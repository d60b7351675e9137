import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteRange } from '../object-store.js';
import { RangeNotSatisfiableError } from '../store-errors.js';
import { mapDiskFailureToStoreUnavailable } from './fs-errors.js';
import type { ObjectRecord, ObjectPieceFile } from './object-record.js';

/** Byte range of one file; both ends are inclusive. */
interface Slice {
  file: string;
  start: number;
  end: number;
}

/** @param end inclusive, as is `start`; offsets into the concatenated pieces */
export function sliceObjectPieceFiles(pieces: ObjectPieceFile[], start: number, end: number): Slice[] {
  const slices: Slice[] = [];
  let offset = 0;
  for (const { file, size } of pieces) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, size - 1);
    if (from <= to) slices.push({ file, start: from, end: to });
    offset += size;
  }
  return slices;
}

async function* readSlices(directory: string, slices: Slice[], first: Awaited<ReturnType<typeof open>>) {
  try {
    for (const [index, { file, start, end }] of slices.entries()) {
      const handle = index === 0 ? first : await open(join(directory, file), 'r');
      yield* handle.createReadStream({ start, end, highWaterMark: 256 * 1024 });
    }
  } catch (error) {
    throw mapDiskFailureToStoreUnavailable(error);
  }
}

/**
 * Opens the first file before it resolves, so that missing data is reported here.
 * @param directory of the record
 * @throws ENOENT if the data was deleted, RangeNotSatisfiableError
 */
export async function openObjectReadStream(
  directory: string,
  record: ObjectRecord,
  range?: ByteRange,
): Promise<Readable> {
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? Infinity, record.size - 1);
  if (range && (start >= record.size || end < start))
    throw new RangeNotSatisfiableError(record.key, record.size);
  const slices = sliceObjectPieceFiles(record.pieces, start, end);
  if (slices[0] === undefined) return Readable.from([]);
  const first = await open(join(directory, slices[0].file), 'r');
  const source = Readable.from(readSlices(directory, slices, first), { objectMode: false });
  // The `finally` of a generator that never started does not run.
  source.once('close', () => void first.close().catch(() => undefined));
  return source;
}
