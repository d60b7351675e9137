import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { InvalidModelError, MODEL_FAMILIES, MODEL_KINDS } from './installed-model.js';

export const MANIFEST_FILE_NAME = 'model.json';

/** The name is also that of the folder, so path separators are not allowed. */
export const MODEL_NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

export const MANIFEST_FILE_ENTRY_SCHEMA = z.strictObject({
  role: z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must be a word such as encoder'),
  /** Relative to the folder of the model. */
  path: z.string().refine(isInsideFolder, 'must be a path inside of the folder'),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

export const MANIFEST_SCHEMA = z.strictObject({
  name: z.string().regex(MODEL_NAME_PATTERN, 'must be a name such as whisper-tiny'),
  kind: z.enum(MODEL_KINDS),
  family: z.enum(MODEL_FAMILIES),
  languages: z.union([z.literal('any'), z.array(z.string().min(2)).min(1)]),
  licence: z.string().min(1),
  settings: z.record(z.string(), z.string()).default({}),
  files: z
    .array(MANIFEST_FILE_ENTRY_SCHEMA)
    .min(1)
    .refine(
      (files) => new Set(files.map(({ role }) => role)).size === files.length,
      'must not repeat a role',
    ),
});

export type ManifestFileEntry = z.output<typeof MANIFEST_FILE_ENTRY_SCHEMA>;
export type Manifest = z.output<typeof MANIFEST_SCHEMA>;

export function pickManifestFields(source: Manifest): Manifest {
  const { name, kind, family, languages, licence, settings } = source;
  const files = source.files.map(({ role, path, bytes, sha256 }) => ({ role, path, bytes, sha256 }));
  return { name, kind, family, languages, licence, settings, files };
}
/** Null without a manifest. @throws InvalidModelError naming the invalid field */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return parseManifest(folder, await readFile(join(folder, MANIFEST_FILE_NAME), 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** @throws InvalidModelError naming the invalid field */
export function parseManifest(folder: string, text: string): Manifest {
  const parsed = MANIFEST_SCHEMA.safeParse(parseJson(folder, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || 'it';
  throw new InvalidModelError(
    folder,
    `in ${MANIFEST_FILE_NAME}, ${field}: ${issue?.message ?? 'is invalid'}`,
  );
}

function parseJson(folder: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidModelError(folder, `${MANIFEST_FILE_NAME} is not JSON`, { cause: error });
  }
}

function isInsideFolder(path: string): boolean {
  const parts = path.split(/[\\/]/);
  return !isAbsolute(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}
