import type { DataSource, EntityMetadata } from 'typeorm';

/** What a restored service makes anew: deliveries that are owed, requests of the last minute, what is known of orphans. */
const EXCLUDED_TABLES = new Set(['outbox', 'rate_limit_hit', 'audio_intake', 'orphan_observation']);

/** The tables of a dump, each behind those that it refers to. The queue's own tables are not ours to dump: rows refill it. */
export function listDumpTables(dataSource: DataSource): string[] {
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
