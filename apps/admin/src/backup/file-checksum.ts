import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';

export interface FileSizeAndChecksum {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Streams the pieces into a new file that only this user can read, and syncs it. */
export async function writeFileReturningChecksum(
  path: string,
  pieces: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
): Promise<FileSizeAndChecksum> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of pieces) {
      const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(data);
      bytes += data.length;
      await file.writeFile(data);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

export async function computeFileSizeAndChecksum(
  path: string,
  signal?: AbortSignal,
): Promise<FileSizeAndChecksum> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A file of a backup is missing, or its bytes differ from its checksum. */
export class BackupDamagedError extends Error {
  override readonly name = 'BackupDamagedError';
  constructor(
    readonly file: string,
    what: 'changed' | 'missing' = 'changed',
  ) {
    super(
      what === 'missing'
        ? `The backup is damaged: ${file} is missing.`
        : `${file} is damaged: its bytes are not those that were backed up.`,
    );
  }
}

/** Passes the bytes through, and fails at the end with BackupDamagedError if they differ. @param name of the file, for the message */
export function createChecksumVerifyingStream(name: string, expected: FileSizeAndChecksum): Transform {
  const hash = createHash('sha256');
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
    flush(done) {
      done(
        bytes === expected.bytes && hash.digest('hex') === expected.sha256
          ? null
          : new BackupDamagedError(name),
      );
    },
  });
}
