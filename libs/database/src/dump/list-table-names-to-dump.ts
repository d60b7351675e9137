import type { DataSource, EntityMetadata } from 'typeorm';

/** A restored service recreates these: queue messages, recent requests, observations of orphans, leases, turns. */
const EXCLUDED_TABLES = new Set([
  'outbox',
  'rate_limit_hit',
  'audio_intake',
  'orphan_observation',
  'maintenance_lease',
  'turn',
]);

/** Parents before children. The queue is not dumped, because rows refill it. */
export function listTableNamesToDump(dataSource: DataSource): string[] {
  const ordered: string[] = [];
  const visit = ({ tableName, foreignKeys }: EntityMetadata): void => {
    if (ordered.includes(tableName) || EXCLUDED_TABLES.has(tableName)) return;
    for (const { referencedEntityMetadata } of foreignKeys)
      if (referencedEntityMetadata.tableName !== tableName) visit(referencedEntityMetadata);
    ordered.push(tableName);
  };
  for (const metadata of dataSource.entityMetadatas.toSorted(compareTableNames)) visit(metadata);
  return ordered;
}

function compareTableNames(a: EntityMetadata, b: EntityMetadata): number {
  return a.tableName < b.tableName ? -1 : 1;
}
