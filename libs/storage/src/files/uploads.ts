import { mkdir, readFile, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { OpenUpload, UploadedPart } from '../object-store.js';
import {
  checkParts,
  checkSizes,
  combinedEtag,
  leftOut,
  neverUploaded,
  otherEtag,
  otherPartsChosen,
  uploadEnded,
} from '../parts.js';
import { StoreUnavailable } from '../store-errors.js';
import {
  DIRECTORY_MODE,
  makeDirectory,
  moveInto,
  oneChunk,
  syncDirectory,
  type WrittenFile,
  writeDurably,
} from './durable.js';
import { isMissing, unlessMissing, unlessUnreadable } from './fs-errors.js';
import { isId, type Layout, newId } from './layout.js';
import type { ObjectFiles } from './object-files.js';
import { type ObjectRecord, parsed } from './object-record.js';

const ABOUT = 'upload.json';
/** What `ABOUT` is called, followed by the etag of the parts, once it is decided which ones make up the object. */
const CHOSEN = 'chosen-';
const UNREADABLE = 'The record of an upload cannot be read.';

interface About {
  key: string;
  contentType: string;
}

/**
 * Open multipart uploads. A part is a file named after its content, so that a part sent twice at once is never a mix;
 * completing moves the whole directory beside the object's record and copies nothing.
 */
export class Uploads {
  constructor(
    private readonly layout: Layout,
    private readonly objects: ObjectFiles,
  ) {}

  async create(key: string, contentType: string): Promise<string> {
    const id = newId();
    const staged = this.layout.temporary();
    const about: About = { key, contentType };
    await makeDirectory(staged);
    await writeDurably(join(staged, ABOUT), oneChunk(Buffer.from(JSON.stringify(about))));
    await syncDirectory(staged);
    await moveInto(staged, this.layout.upload(id));
    return id;
  }

  /**
   * Those that are open, of any key. One of which cannot be read whose it is keeps no other from being listed.
   * @param onUnreadable told of each of those, as `uploads/<id>`
   */
  async *list(onUnreadable: (name: string, error: StoreUnavailable) => void): AsyncGenerator<OpenUpload> {
    for (const uploadId of (await unlessMissing(readdir(this.layout.uploads))) ?? []) {
      const upload = this.layout.upload(uploadId);
      const about = await unlessUnreadable(readAbout(upload), (error) =>
        onUnreadable(`uploads/${uploadId}`, error),
      );
      const found = await unlessMissing(stat(upload));
      if (about && found !== null) yield { key: about.key, uploadId, mark: String(found.ctimeMs) };
    }
  }

  /** @throws PartsRejected with field `upload` unless the upload is open and of this key. */
  async assertOpen(key: string, uploadId: string): Promise<void> {
    const about = isId(uploadId) ? await readAbout(this.layout.upload(uploadId)) : null;
    if (about?.key !== key) throw uploadEnded();
  }

  /** Makes written bytes part `partNumber`, instead of what was sent as that part before. */
  async addPart(uploadId: string, partNumber: number, written: WrittenFile): Promise<void> {
    const upload = this.layout.upload(uploadId);
    const folder = join(upload, String(partNumber));
    try {
      await mkdir(folder, { mode: DIRECTORY_MODE }).then(
        () => syncDirectory(upload),
        (error: unknown) => ignoreExisting(error),
      );
      await moveInto(written.path, join(folder, written.sha256));
      await removeOlder(folder, written.sha256);
    } catch (error) {
      throw isMissing(error) ? uploadEnded() : error;
    }
  }

  /**
   * Of completions that name different parts the first to choose wins, whichever process it runs in: a choice is a
   * rename, and there is one to be had. Another list is refused from then on, the chosen one may be repeated.
   */
  async complete(
    key: string,
    uploadId: string,
    given: UploadedPart[],
    partSize: number | null = null,
  ): Promise<ObjectRecord> {
    const parts = checkParts(given);
    if (!isId(uploadId)) throw uploadEnded();
    const etag = combinedEtag('sha256', parts);
    const done = await this.objects.read(key);
    const target = this.layout.data(key, uploadId);
    if (done?.data === basename(target) && done.etag === etag) return done;

    const open = this.layout.upload(uploadId);
    // A crash after the move leaves the upload beside its record-to-be: the repeated call goes on from there.
    const place = (await readAbout(open)) ? open : target;
    const about = await readAbout(place);
    if (about?.key !== key) throw uploadEnded();
    checkSizes(parts, await sizesOf(place, parts), partSize);
    if (place === open) await this.close(key, open, target);
    // A part that was sent again just before it was closed has another etag by now: the caller names that one then.
    const sizes = await sizesOf(target, parts);
    await choose(target, etag);
    const pieces = parts.map((part, index) => ({ name: pieceName(part), size: sizes[index] ?? 0 }));
    const staged = { path: target, id: uploadId, pieces, etag, contentType: about.contentType };
    return this.objects.commit(key, staged).catch((error: unknown) => {
      // Another call has made the object of these parts, and it was deleted since.
      throw isMissing(error) ? uploadEnded() : error;
    });
  }

  /** From here on no part can be added or replaced. */
  private async close(key: string, open: string, target: string): Promise<void> {
    try {
      await this.objects.moveBeside(key, open, target);
      await syncDirectory(this.layout.uploads);
    } catch (error) {
      throw isMissing(error) ? uploadEnded() : error;
    }
  }

  /** An upload that was closed and is no object, because of a crash or a late refusal, goes as well. */
  async abort(key: string, uploadId: string): Promise<void> {
    if (!isId(uploadId)) return;
    const open = this.layout.upload(uploadId);
    if ((await readAbout(open))?.key === key) await this.discard(open);
    const target = this.layout.data(key, uploadId);
    if ((await this.objects.read(key))?.data !== basename(target)) await this.discard(target);
  }

  /** It vanishes in one step, and is deleted then. */
  private async discard(upload: string): Promise<void> {
    const doomed = this.layout.temporary();
    if ((await unlessMissing(rename(upload, doomed).then(() => true))) === null) return;
    await rm(doomed, { recursive: true, force: true });
  }
}

/** @throws PartsRejected when other parts were chosen before. */
async function choose(upload: string, etag: string): Promise<void> {
  const chosen = join(upload, CHOSEN + etag);
  try {
    await rename(join(upload, ABOUT), chosen);
    await syncDirectory(upload);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if ((await unlessMissing(stat(chosen))) === null) throw otherPartsChosen();
  }
}

function pieceName(part: UploadedPart): string {
  return `${part.partNumber}/${part.etag}`;
}

async function readAbout(upload: string): Promise<About | null> {
  const text = await unlessMissing(readFile(join(upload, ABOUT), 'utf8'));
  if (text !== null) return toAbout(text);
  const chosen = (await unlessMissing(readdir(upload)))?.find((name) => name.startsWith(CHOSEN));
  if (chosen === undefined) return null;
  const kept = await unlessMissing(readFile(join(upload, chosen), 'utf8'));
  return kept === null ? null : toAbout(kept);
}

function toAbout(text: string): About {
  const about = parsed(text, UNREADABLE);
  if (!isAbout(about)) throw new StoreUnavailable(UNREADABLE);
  return about;
}

function isAbout(value: unknown): value is About {
  if (typeof value !== 'object' || value === null) return false;
  const about = value as Partial<Record<keyof About, unknown>>;
  return typeof about.key === 'string' && typeof about.contentType === 'string';
}

/** @throws PartsRejected at the first part that is not there as described, or is there and not among them. */
async function sizesOf(upload: string, parts: UploadedPart[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const [index, part] of parts.entries()) {
    const file = /^[0-9a-f]{64}$/.test(part.etag)
      ? await unlessMissing(stat(join(upload, pieceName(part))))
      : null;
    if (file === null) {
      const sent = await unlessMissing(readdir(join(upload, String(part.partNumber))));
      throw sent?.length ? otherEtag(index, part.partNumber) : neverUploaded(index, part.partNumber);
    }
    sizes.push(file.size);
  }
  await assertAllListed(upload, parts);
  return sizes;
}

/** @throws PartsRejected */
async function assertAllListed(upload: string, parts: UploadedPart[]): Promise<void> {
  const listed = new Set(parts.map(({ partNumber }) => partNumber));
  for (const name of (await unlessMissing(readdir(upload))) ?? []) {
    if (!/^\d+$/.test(name) || listed.has(Number(name))) continue;
    // A folder without a file is of a part that never arrived.
    const sent = await unlessMissing(readdir(join(upload, name)));
    if (sent?.length) throw leftOut(parts.length, Number(name));
  }
}

/** Only what was written before: of two that cross, one at least stays. */
async function removeOlder(folder: string, kept: string): Promise<void> {
  const { mtimeNs } = await stat(join(folder, kept), { bigint: true });
  for (const name of await readdir(folder)) {
    if (name === kept) continue;
    const other = await unlessMissing(stat(join(folder, name), { bigint: true }));
    if (other && other.mtimeNs < mtimeNs) await unlessMissing(unlink(join(folder, name)));
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
