import { countRowsPerEncryptionKey } from '@app/database';
import { describeEncryptionKeys } from '@app/runtime';
import type { AdminServices } from '../lazy-admin-services.js';

export interface EncryptionKeyReport {
  /** With which new rows are encrypted. */
  encryption_key: { id: string; source: string };
  other_keys: { id: string; source: string; rows: number }[];
}

/** Says which keys the settings of this command have, which may not be those of the service. */
export async function reportEncryptionKeys({
  bootContext,
  dataSource,
}: Pick<AdminServices, 'bootContext' | 'dataSource'>): Promise<EncryptionKeyReport> {
  const [current, ...others] = describeEncryptionKeys(bootContext);
  const used = await countRowsPerEncryptionKey(dataSource);
  const other_keys = others.map((key) => ({
    ...key,
    rows: used.find(({ keyId }) => keyId === key.id)?.rows ?? 0,
  }));
  return { encryption_key: current, other_keys };
}

export function formatEncryptionKeyReport({ encryption_key, other_keys }: EncryptionKeyReport): string[] {
  return [
    `Key ${encryption_key.id} (${encryption_key.source}) encrypts.`,
    ...other_keys.map(({ id, source, rows }) =>
      rows === 0
        ? `No row needs key ${id} (${source})${source.endsWith('ENCRYPTION_KEYS') ? ': it may be removed' : ''}.`
        : `${rows} rows need key ${id} (${source}).`,
    ),
  ];
}
