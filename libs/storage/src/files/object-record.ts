import { readFile } from 'node:fs/promises';
import type { ObjectInfo } from '../object-store.js';
import { StoreUnavailable } from '../store-errors.js';
import { unlessMissing } from './fs-errors.js';

/** A run of bytes of an object, in a file beside its record. */
export interface Piece {
  /** Relative to the record's directory. */
  file: string;
  /** Bytes. */
  size: number;
}

/**
 * What is written beside the data of an object. It names its data, which is never written again once named:
 * a record and its bytes cannot disagree, whenever the power goes.
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
  /** Name of the file or directory, beside the record, that holds all of the data. */
  data: string;
  /** In order. */
  pieces: Piece[];
}

function isRecord(value: unknown): value is ObjectRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof ObjectRecord, unknown>>;
  return record.version === 1 && typeof record.etag === 'string' && Array.isArray(record.pieces);
}

/** The JSON of a file of the store. @param message tells people when it is none */
export function parsed(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoreUnavailable(message, { cause });
  }
}

/** @returns null when there is no such object. */
export async function readRecord(path: string): Promise<ObjectRecord | null> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === null) return null;
  const record = parsed(text, 'An object record cannot be read.');
  if (!isRecord(record)) throw new StoreUnavailable('An object record is of an unknown form.');
  return record;
}

export function toInfo(record: ObjectRecord): ObjectInfo {
  const { key, size, etag, contentType, modifiedAt } = record;
  return { key, size, etag, contentType, modifiedAt: new Date(modifiedAt) };
}
