import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';

/** What a file of a backup holds, as the manifest says it. */
export interface FileChecksum {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Writes a new file, private to this user, and puts it on disk; never more of it in memory than a piece. */
export async function writeFileWithChecksum(
  path: string,
  pieces: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
): Promise<FileChecksum> {
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

export async function computeFileChecksum(path: string): Promise<FileChecksum> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A file of the backup is missing, or its bytes differ from what its manifest says. */
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

/** Passes the bytes of a file on, and fails at their end when they are not those that were written. @param name for the operator */
export function createChecksumVerifier(name: string, expected: FileChecksum): Transform {
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
