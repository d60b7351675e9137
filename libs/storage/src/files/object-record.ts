import { readFile } from 'node:fs/promises';
import type { ObjectInfo } from '../object-store.js';
import { StoreUnavailableError } from '../store-errors.js';
import { nullIfFileMissing } from './fs-errors.js';

export interface ObjectPieceFile {
  /** Relative to the record's directory. */
  file: string;
  size: number;
}

/**
 * Stored beside the data of an object. Data is never rewritten, so a record and its bytes agree after a power
 * failure, unless the object is not durable.
 */
export interface ObjectRecord {
  version: 1;
  key: string;
  /** Bytes, the sum of the pieces. */
  size: number;
  etag: string;
  contentType: string;
  /** ISO 8601. */
  modifiedAt: string;
  /** Absent means true. Otherwise `fetchToFile` compares the bytes with the etag, their SHA-256. */
  isDurable?: boolean;
  /** Name of the file or directory, beside the record, that contains all of the data. */
  data: string;
  pieces: ObjectPieceFile[];
}

function isObjectRecord(value: unknown): value is ObjectRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof ObjectRecord, unknown>>;
  return record.version === 1 && typeof record.etag === 'string' && Array.isArray(record.pieces);
}

/** @param message of the error for invalid JSON */
export function parseStoredJson(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoreUnavailableError(message, { cause });
  }
}

export async function readObjectRecord(path: string): Promise<ObjectRecord | null> {
  const text = await nullIfFileMissing(readFile(path, 'utf8'));
  // A power failure can leave an empty record of an object that is not durable.
  if (text === null || text === '') return null;
  const record = parseStoredJson(text, 'An object record cannot be read.');
  if (!isObjectRecord(record)) throw new StoreUnavailableError('An object record is of an unknown form.');
  return record;
}

export function toObjectInfo(record: ObjectRecord): ObjectInfo {
  const { key, size, etag, contentType, modifiedAt } = record;
  return { key, size, etag, contentType, modifiedAt: new Date(modifiedAt) };
}
