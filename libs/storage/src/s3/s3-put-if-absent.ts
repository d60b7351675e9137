import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';
import { s3HttpStatus } from './s3-errors.js';
import type { S3MissingObjectDetector } from './s3-missing-object-detector.js';

/** Another writer was first or is still writing. */
const CONFLICT_STATUSES = new Set([409, 412]);
const NOT_IMPLEMENTED = 501;
const MAX_ATTEMPTS = 3;

interface BucketAccess {
  client: S3Client;
  missingObjects: S3MissingObjectDetector;
}

interface ObjectLocation {
  Bucket: string;
  Key: string;
}

/**
 * Reads the stored bytes after a conditional PUT: some stores ignore the condition, and the response of a
 * successful attempt may be lost.
 * @returns whether the stored bytes are these
 */
export async function putIfAbsent(
  access: BucketAccess,
  target: ObjectLocation,
  body: Buffer,
  contentType: string,
): Promise<boolean> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if ((await readStoredObject(access, target)) === null)
      await putConditionally(access.client, target, body, contentType);
    const found = await readStoredObject(access, target);
    if (found !== null) return found.equals(body);
  }
  throw new StoreUnavailableError(`The object store did not keep ${target.Key}.`);
}

async function putConditionally(
  client: S3Client,
  target: ObjectLocation,
  Body: Buffer,
  ContentType: string,
): Promise<void> {
  const request = { ...target, Body, ContentType };
  try {
    await client.send(new PutObjectCommand({ ...request, IfNoneMatch: '*' }));
  } catch (error) {
    const status = s3HttpStatus(error) ?? 0;
    if (status === NOT_IMPLEMENTED) await client.send(new PutObjectCommand(request));
    else if (!CONFLICT_STATUSES.has(status)) throw error;
  }
}

async function readStoredObject(
  { client, missingObjects }: BucketAccess,
  target: ObjectLocation,
): Promise<Buffer | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand(target));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  } catch (error) {
    if (await missingObjects.isObjectMissing(error)) return null;
    throw error;
  }
}
