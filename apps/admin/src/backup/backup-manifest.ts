import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../output.js';
import type { BackupFolder } from './backup-folder.js';

const FORMAT = 1;

const count = z.number().int().nonnegative();
const file = z.object({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const name = z.string().regex(/^[a-z_]{1,63}$/);

const manifest = z.object({
  format: z.literal(FORMAT),
  /** That wrote it. */
  service_version: z.string(),
  /** Of this backup. */
  backup_id: z.uuid(),
  /** The moment that the rows are of, on the clock of the database. */
  created_at: z.iso.datetime(),
  /** That the database had had, in their order. */
  migrations: z.array(z.string()).min(1),
  installation: z.object({
    installation_id: z.uuid(),
    store_id: z.uuid().nullable(),
    generation: count,
    /** Tells whether a service secret is the right one. */
    secret_fingerprint: z.string(),
  }),
  store_kind: z.enum(['files', 's3']),
  /** Ids of the keys under which something in the rows is encrypted. */
  sealing_keys: z.array(z.string()),
  tables: z.array(file.extend({ name, columns: z.array(name), rows: count })),
  objects: file.extend({
    /** Objects that are here, and their bytes together. */
    count,
    total_bytes: count,
    /** That the rows need and the store did not have. */
    missing: count,
  }),
  /** Null where they were left out. */
  secrets: file.nullable(),
});

export type BackupManifest = z.infer<typeof manifest>;

export function formatManifest(value: Omit<BackupManifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...value }, null, 2)}\n`;
}

/** @throws CommandError when the folder holds no finished backup, or one that this version cannot read */
export async function readBackupManifest(folder: BackupFolder): Promise<BackupManifest> {
  const text = await readFile(folder.manifestPath, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new CommandError(
      `${folder.path} holds no finished backup: manifest.json, which is written last, is missing.`,
    );
  });
  const parsed = manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const found = z.object({ format: z.number() }).safeParse(parseJson(text));
  throw new CommandError(
    found.success && found.data.format !== FORMAT
      ? `The backup has format ${found.data.format}; this version reads format ${FORMAT}.`
      : `manifest.json is damaged (${parsed.error.issues[0]?.path.join('.') || 'no JSON'}).`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
