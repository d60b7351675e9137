import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../store-errors.js';
import { isMissingObject, statusOf } from './s3-errors.js';

/** Answers of a store in which another writer came first, or is just writing. */
const TAKEN = new Set([409, 412]);
const NOT_IMPLEMENTED = 501;
const ATTEMPTS = 3;

interface Target {
  Bucket: string;
  Key: string;
}

/**
 * A conditional PUT. What is stored afterwards is read back and decides: a store that does not know the condition lets
 * the last writer win, and an attempt whose answer was lost finds its own object there.
 * @returns whether the stored bytes are these
 */
export async function putIfAbsent(
  client: S3Client,
  target: Target,
  body: Buffer,
  contentType: string,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if ((await stored(client, target)) === null) await put(client, target, body, contentType);
    const found = await stored(client, target);
    if (found !== null) return found.equals(body);
  }
  throw new StoreUnavailable(`The object store did not keep ${target.Key}.`);
}

async function put(client: S3Client, target: Target, Body: Buffer, ContentType: string): Promise<void> {
  const request = { ...target, Body, ContentType };
  try {
    await client.send(new PutObjectCommand({ ...request, IfNoneMatch: '*' }));
  } catch (error) {
    const status = statusOf(error) ?? 0;
    if (status === NOT_IMPLEMENTED) await client.send(new PutObjectCommand(request));
    else if (!TAKEN.has(status)) throw error;
  }
}

async function stored(client: S3Client, target: Target): Promise<Buffer | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand(target));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  } catch (error) {
    if (isMissingObject(error)) return null;
    throw error;
  }
}
