import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MANIFEST_FILE_NAME } from '../manifest.js';

export const MODEL_CHECK_FILE_NAME = 'check.json';

const check = z.object({
  /** SHA-256 of the manifest of the files that were checked. */
  manifestSha256: z.string(),
  /** ISO 8601 */
  checkedAt: z.string(),
  /** Why the model should not be used; null if it passed. */
  problem: z.string().nullable(),
  /** Words of the dialogue, 0 to 1; null if the model does not know its language or failed. */
  wordsRight: z.number().nullable(),
  /** Seconds of the dialogue with the right speaker, 0 to 1; null if the model failed. */
  speakersRight: z.number().nullable(),
  /** Seconds of audio that one copy of the model transcribes in a second; null if the model failed. */
  speed: z.number().nullable(),
  /** Peak memory of a process with one copy of the model; null if unknown. */
  memoryBytes: z.number().nullable(),
});

/** What a model made of the bundled dialogue on this machine. */
export type ModelCheckRecord = z.output<typeof check>;
export type ModelCheckResult = Omit<ModelCheckRecord, 'manifestSha256' | 'checkedAt'>;

/** @param folder of the model @returns null without a check of exactly these files */
export async function readModelCheck(folder: string): Promise<ModelCheckRecord | null> {
  const text = await readFile(join(folder, MODEL_CHECK_FILE_NAME), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = check.safeParse(parseJson(text));
  return parsed.success && parsed.data.manifestSha256 === (await hashManifest(folder)) ? parsed.data : null;
}

/** @param folder of the model @throws errors of the file system */
export async function writeModelCheck(folder: string, result: ModelCheckResult): Promise<ModelCheckRecord> {
  const written = {
    ...result,
    manifestSha256: await hashManifest(folder),
    checkedAt: new Date().toISOString(),
  };
  const path = join(folder, MODEL_CHECK_FILE_NAME);
  await writeFile(`${path}.new`, `${JSON.stringify(written, null, 2)}\n`);
  await rename(`${path}.new`, path);
  return written;
}

async function hashManifest(folder: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(folder, MANIFEST_FILE_NAME)))
    .digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
