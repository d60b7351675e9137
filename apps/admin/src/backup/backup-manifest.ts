import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../output.js';
import type { BackupFolder } from './backup-folder.js';

const FORMAT = 1;

const count = z.number().int().nonnegative();
const file = z.object({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifest = z.object({
  format: z.literal(FORMAT),
  service_version: z.string(),
  backup_id: z.uuid(),
  /** Time of the snapshot, on the clock of the database. */
  created_at: z.iso.datetime(),
  /** Applied migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
  installation: z.object({
    installation_id: z.uuid(),
    store_id: z.uuid().nullable(),
    generation: count,
    secret_fingerprint: z.string(),
  }),
  store_kind: z.enum(['files', 's3']),
  /** Ids of the keys that are needed to decrypt the rows. */
  sealing_keys: z.array(z.string()),
  tables: z.array(file.extend({ name, columns: z.array(name), rows: count })),
  objects: file.extend({
    count,
    total_bytes: count,
    /** Objects that the rows need and the store lacks. */
    missing: count,
  }),
  /** Null for a backup without secrets, also one from which the operator removed them. */
  secrets: file.nullable(),
});

export type BackupManifest = z.infer<typeof manifest>;

export function serializeBackupManifest(value: Omit<BackupManifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...value }, null, 2)}\n`;
}

/** @throws CommandError if the folder contains no finished backup of this format */
export async function readBackupManifest(folder: BackupFolder): Promise<BackupManifest> {
  const text = await readFile(folder.manifestPath, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new CommandError(
      `${folder.path} holds no finished backup: manifest.json, which is written last, is missing.`,
    );
  });
  const parsed = manifest.safeParse(parseJson(text));
  if (parsed.success) return existsSync(folder.secretsPath) ? parsed.data : { ...parsed.data, secrets: null };
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

export function countBackupRows({ tables }: BackupManifest): number {
  return tables.reduce((sum, table) => sum + table.rows, 0);
}
