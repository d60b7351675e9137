import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

const ID = /^[0-9a-f]{32}$/;
const RECORD_SUFFIX = '@meta';

/** Names data files, data directories and multipart uploads; never reused. */
export function newStorageId(): string {
  return randomBytes(16).toString('hex');
}

export function isStorageId(text: string): boolean {
  return ID.test(text);
}

/** Capitals become `+a`, because some file systems ignore case. */
function encodeSegment(segment: string): string {
  return segment.replace(/[A-Z]/g, (capital) => `+${capital.toLowerCase()}`);
}

function decodeSegment(name: string): string {
  return name.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Paths below the root:
 * - `objects/<segment>/…/<segment>@meta`: the record of an object, which names its data
 * - `objects/<segment>/…/<segment>@<id>`: its data: a file, or the directory of a completed multipart upload
 * - `uploads/<id>/`: an open multipart upload: `upload.json`, `<part>/<sha256>`; moved to `objects` on
 * completion, where `upload.json` becomes `chosen-<etag of the parts>`
 * - `tmp/<id>`: files that are being written
 * Keys contain neither `@` nor `+`, so no key can name a file of another kind.
 */
export class FileStoreLayout {
  readonly objectsDirectory: string;
  readonly uploadsDirectory: string;
  readonly temporaryDirectory: string;

  constructor(readonly root: string) {
    this.objectsDirectory = join(root, 'objects');
    this.uploadsDirectory = join(root, 'uploads');
    this.temporaryDirectory = join(root, 'tmp');
  }

  /** Path of the object without a suffix. @param key a validated key */
  private pathStem(key: string): string {
    return join(this.objectsDirectory, ...key.split('/').map(encodeSegment));
  }

  recordPath(key: string): string {
    return this.pathStem(key) + RECORD_SUFFIX;
  }

  dataPath(key: string, id: string): string {
    return `${this.pathStem(key)}@${id}`;
  }

  directoryPath(key: string): string {
    return dirname(this.pathStem(key));
  }

  uploadPath(uploadId: string): string {
    return join(this.uploadsDirectory, uploadId);
  }

  newTemporaryPath(): string {
    return join(this.temporaryDirectory, newStorageId());
  }
}

export type ParsedFileStoreEntryName =
  { kind: 'record' | 'directory'; segment: string } | { kind: 'data'; stem: string };

export function parseFileStoreEntryName(name: string): ParsedFileStoreEntryName {
  const at = name.lastIndexOf('@');
  if (at === -1) return { kind: 'directory', segment: decodeSegment(name) };
  if (name.slice(at) === RECORD_SUFFIX) return { kind: 'record', segment: decodeSegment(name.slice(0, at)) };
  return { kind: 'data', stem: name.slice(0, at) };
}
