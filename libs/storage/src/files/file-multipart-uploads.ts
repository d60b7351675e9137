import { mkdir, readFile, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { OpenMultipartUpload, UploadedPart } from '../object-store.js';
import {
  toValidatedParts,
  assertPartsFollowPlan,
  computeMultipartEtag,
  createUploadedPartOmittedError,
  createPartNotUploadedError,
  createEtagMismatchError,
  createUploadCompletedWithOtherPartsError,
  createUploadNotOpenError,
} from '../multipart-parts.js';
import { StoreUnavailableError } from '../store-errors.js';
import {
  DIRECTORY_MODE,
  createDirectoryDurably,
  renameDurably,
  singleChunkStream,
  fsyncDirectory,
  type WrittenFile,
  writeAndHashNewFile,
} from './durable-writes.js';
import { getErrorCode } from '../error-code.js';
import {
  fileExists,
  isFileMissingError,
  nullIfFileMissing,
  createSweptFileError,
  undefinedIfFileUnreadable,
} from './fs-errors.js';
import { isStorageId, type FileStoreLayout, newStorageId } from './file-store-layout.js';
import type { FileStoreObjects } from './file-store-objects.js';
import { type ObjectRecord, parseStoredJson } from './object-record.js';

const UPLOAD_RECORD_NAME = 'upload.json';
/**
 * Prefix of the name that the upload record gets when the parts of the object are chosen; the etag of the parts
 * follows.
 */
const SELECTED_PARTS_PREFIX = 'chosen-';
const PART_DIRECTORY_NAME = /^\d+$/;
const UNREADABLE_MESSAGE = 'The record of an upload cannot be read.';

interface UploadRecord {
  key: string;
  contentType: string;
}

/**
 * Parts are files named after their content, so two concurrent writes of a part cannot mix. Completion moves
 * the directory beside the object's record and copies nothing.
 */
export class FileMultipartUploads {
  constructor(
    private readonly layout: FileStoreLayout,
    private readonly objects: FileStoreObjects,
  ) {}

  async create(key: string, contentType: string): Promise<string> {
    const id = newStorageId();
    const staged = this.layout.newTemporaryPath();
    const about: UploadRecord = { key, contentType };
    await createDirectoryDurably(staged);
    await writeAndHashNewFile(
      join(staged, UPLOAD_RECORD_NAME),
      singleChunkStream(Buffer.from(JSON.stringify(about))),
    );
    await fsyncDirectory(staged);
    await renameDurably(staged, this.layout.uploadPath(id));
    return id;
  }

  /** @param onUnreadable called with `uploads/<id>` for each upload that is skipped */
  async *list(
    onUnreadable: (name: string, error: StoreUnavailableError) => void,
  ): AsyncGenerator<OpenMultipartUpload> {
    for (const uploadId of (await nullIfFileMissing(readdir(this.layout.uploadsDirectory))) ?? []) {
      const upload = this.layout.uploadPath(uploadId);
      const about = await undefinedIfFileUnreadable(readUploadRecord(upload), (error) =>
        onUnreadable(`uploads/${uploadId}`, error),
      );
      if (about) yield { key: about.key, uploadId, readPartsVersion: () => readPartsVersion(upload) };
    }
  }

  /** @throws InvalidPartsError with field `upload` unless the upload is open and belongs to the key */
  async assertOpen(key: string, uploadId: string): Promise<void> {
    const about = isStorageId(uploadId) ? await readUploadRecord(this.layout.uploadPath(uploadId)) : null;
    if (about?.key !== key) throw createUploadNotOpenError();
  }

  /** Replaces an earlier version of the part. */
  async addPart(uploadId: string, partNumber: number, written: WrittenFile): Promise<void> {
    const upload = this.layout.uploadPath(uploadId);
    const partDirectory = join(upload, String(partNumber));
    try {
      await mkdir(partDirectory, { mode: DIRECTORY_MODE }).then(
        () => fsyncDirectory(upload),
        (error: unknown) => {
          if (getErrorCode(error) !== 'EEXIST') throw error;
        },
      );
      await renameDurably(written.path, join(partDirectory, written.sha256));
      await removeOlderVersions(partDirectory, written.sha256);
    } catch (error) {
      if (!isFileMissingError(error)) throw error;
      const isOpen = await fileExists(upload);
      throw isOpen && !(await fileExists(written.path))
        ? createSweptFileError(error)
        : createUploadNotOpenError();
    }
  }

  /**
   * If completions name different parts, the first one wins, also between processes: a choice is one rename.
   * Later completions must name the same parts.
   */
  async complete(
    key: string,
    uploadId: string,
    listedParts: UploadedPart[],
    partSize: number | null = null,
  ): Promise<ObjectRecord> {
    const parts = toValidatedParts(listedParts);
    if (!isStorageId(uploadId)) throw createUploadNotOpenError();
    const etag = computeMultipartEtag('sha256', parts);
    const done = await this.objects.read(key);
    const target = this.layout.dataPath(key, uploadId);
    if (done?.data === basename(target) && done.etag === etag) return done;

    const open = this.layout.uploadPath(uploadId);
    // After a crash the directory may have moved already: the repeated call continues from there.
    const directory = (await readUploadRecord(open)) ? open : target;
    const about = await readUploadRecord(directory);
    if (about?.key !== key) throw createUploadNotOpenError();
    assertPartsFollowPlan(parts, await readPartSizes(directory, parts), partSize);
    if (directory === open) await this.closeUpload(key, open, target);
    // A part may have been replaced just before the upload closed.
    const sizes = await readPartSizes(target, parts);
    await selectParts(target, etag);
    const pieces = parts.map((part, index) => ({ name: partFileName(part), size: sizes[index] ?? 0 }));
    const staged = { path: target, id: uploadId, pieces, etag, contentType: about.contentType };
    return this.objects.commit(key, staged).catch((error: unknown) => {
      // Another call completed the upload, and the object was deleted since.
      throw isFileMissingError(error) ? createUploadNotOpenError() : error;
    });
  }

  /** After this, no part can be added or replaced. */
  private async closeUpload(key: string, open: string, target: string): Promise<void> {
    try {
      await this.objects.moveBesideRecord(key, open, target);
      await fsyncDirectory(this.layout.uploadsDirectory);
    } catch (error) {
      throw isFileMissingError(error) ? createUploadNotOpenError() : error;
    }
  }

  /** Also deletes an upload that was closed but did not become an object. */
  async abort(key: string, uploadId: string): Promise<void> {
    if (!isStorageId(uploadId)) return;
    const open = this.layout.uploadPath(uploadId);
    if ((await readUploadRecord(open))?.key === key) await this.deleteUpload(open);
    const target = this.layout.dataPath(key, uploadId);
    if ((await this.objects.read(key))?.data !== basename(target)) await this.deleteUpload(target);
  }

  /** Renames first, so that the upload disappears at once. */
  private async deleteUpload(upload: string): Promise<void> {
    const temporary = this.layout.newTemporaryPath();
    if ((await nullIfFileMissing(rename(upload, temporary).then(() => true))) === null) return;
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @throws InvalidPartsError if other parts were chosen before */
async function selectParts(upload: string, etag: string): Promise<void> {
  const chosen = join(upload, SELECTED_PARTS_PREFIX + etag);
  try {
    await rename(join(upload, UPLOAD_RECORD_NAME), chosen);
    await fsyncDirectory(upload);
  } catch (error) {
    if (!isFileMissingError(error)) throw error;
    if ((await nullIfFileMissing(stat(chosen))) === null) throw createUploadCompletedWithOtherPartsError();
  }
}

function partFileName(part: UploadedPart): string {
  return `${part.partNumber}/${part.etag}`;
}

async function readPartsVersion(upload: string): Promise<string> {
  const [found, names] = [await nullIfFileMissing(stat(upload)), await nullIfFileMissing(readdir(upload))];
  if (found === null || names === null) return 'gone';
  return names.some((name) => PART_DIRECTORY_NAME.test(name)) ? String(found.ctimeMs) : '';
}

async function readUploadRecord(upload: string): Promise<UploadRecord | null> {
  const text = await nullIfFileMissing(readFile(join(upload, UPLOAD_RECORD_NAME), 'utf8'));
  if (text !== null) return parseUploadRecord(text);
  const chosen = (await nullIfFileMissing(readdir(upload)))?.find((name) =>
    name.startsWith(SELECTED_PARTS_PREFIX),
  );
  if (chosen === undefined) return null;
  const kept = await nullIfFileMissing(readFile(join(upload, chosen), 'utf8'));
  return kept === null ? null : parseUploadRecord(kept);
}

function parseUploadRecord(text: string): UploadRecord {
  const about = parseStoredJson(text, UNREADABLE_MESSAGE);
  if (!isUploadRecord(about)) throw new StoreUnavailableError(UNREADABLE_MESSAGE);
  return about;
}

function isUploadRecord(value: unknown): value is UploadRecord {
  if (typeof value !== 'object' || value === null) return false;
  const about = value as Partial<Record<keyof UploadRecord, unknown>>;
  return typeof about.key === 'string' && typeof about.contentType === 'string';
}

/** @throws InvalidPartsError for the first part that is missing, differs or is not listed */
async function readPartSizes(upload: string, parts: UploadedPart[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const [index, part] of parts.entries()) {
    const file = /^[0-9a-f]{64}$/.test(part.etag)
      ? await nullIfFileMissing(stat(join(upload, partFileName(part))))
      : null;
    if (file === null) {
      const sent = await nullIfFileMissing(readdir(join(upload, String(part.partNumber))));
      throw sent?.length
        ? createEtagMismatchError(index, part.partNumber)
        : createPartNotUploadedError(index, part.partNumber);
    }
    sizes.push(file.size);
  }
  await assertAllListed(upload, parts);
  return sizes;
}

async function assertAllListed(upload: string, parts: UploadedPart[]): Promise<void> {
  const listed = new Set(parts.map(({ partNumber }) => partNumber));
  for (const name of (await nullIfFileMissing(readdir(upload))) ?? []) {
    if (!/^\d+$/.test(name) || listed.has(Number(name))) continue;
    // A directory without files belongs to a part that never arrived.
    const sent = await nullIfFileMissing(readdir(join(upload, name)));
    if (sent?.length) throw createUploadedPartOmittedError(parts.length, Number(name));
  }
}

/** Deletes only earlier versions, so at least one of two concurrent versions remains. */
async function removeOlderVersions(partDirectory: string, kept: string): Promise<void> {
  const { mtimeNs } = await stat(join(partDirectory, kept), { bigint: true });
  for (const name of await readdir(partDirectory)) {
    if (name === kept) continue;
    const other = await nullIfFileMissing(stat(join(partDirectory, name), { bigint: true }));
    if (other && other.mtimeNs < mtimeNs) await nullIfFileMissing(unlink(join(partDirectory, name)));
  }
}
