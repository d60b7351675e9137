import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

const ID = /^[0-9a-f]{32}$/;
const RECORD_SUFFIX = '@meta';

/** Names data files, data directories and multipart uploads; never used twice. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

export function isId(text: string): boolean {
  return ID.test(text);
}

/** Capitals are spelled out (`+a`), or two keys would be one file where the file system ignores case. */
function encodeSegment(segment: string): string {
  return segment.replace(/[A-Z]/g, (capital) => `+${capital.toLowerCase()}`);
}

function decodeSegment(name: string): string {
  return name.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Where things lie under the root:
 * - `objects/<segment>/…/<segment>@meta`  the record of one object, which names its data
 * - `objects/<segment>/…/<segment>@<id>`  its data beside it: a file, or the directory of a completed multipart upload
 * - `uploads/<id>/`                       an open multipart upload: `upload.json`, `<part>/<sha256>`; moved among the objects
 *                                         when it is completed, where `upload.json` becomes `chosen-<etag of the parts>`
 * - `tmp/<id>`                            what is being written
 * Keys hold neither `@` nor `+`, so no key can name a file of another kind.
 */
export class Layout {
  readonly objects: string;
  readonly uploads: string;
  readonly tmp: string;

  constructor(readonly root: string) {
    this.objects = join(root, 'objects');
    this.uploads = join(root, 'uploads');
    this.tmp = join(root, 'tmp');
  }

  /** Path of the object without its suffix. @param key a checked key. */
  private stem(key: string): string {
    return join(this.objects, ...key.split('/').map(encodeSegment));
  }

  record(key: string): string {
    return this.stem(key) + RECORD_SUFFIX;
  }

  data(key: string, id: string): string {
    return `${this.stem(key)}@${id}`;
  }

  directory(key: string): string {
    return dirname(this.stem(key));
  }

  upload(uploadId: string): string {
    return join(this.uploads, uploadId);
  }

  temporary(): string {
    return join(this.tmp, newId());
  }
}

export type EntryName = { kind: 'record' | 'directory'; segment: string } | { kind: 'data'; stem: string };

/** Reads a name found under `objects/`. */
export function readName(name: string): EntryName {
  const at = name.lastIndexOf('@');
  if (at === -1) return { kind: 'directory', segment: decodeSegment(name) };
  if (name.slice(at) === RECORD_SUFFIX) return { kind: 'record', segment: decodeSegment(name.slice(0, at)) };
  return { kind: 'data', stem: name.slice(0, at) };
}
