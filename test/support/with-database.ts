import { createDataSource } from '@app/database';
import type { DataSource } from 'typeorm';

export async function withDatabase<T>(
  { url }: { url: string },
  work: (db: DataSource) => Promise<T>,
): Promise<T> {
  const db = await createDataSource({ url, poolSize: 2, applicationName: 'test' }).initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
