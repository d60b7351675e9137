import { listMigrationNamesUpTo, openDatabaseAtMigration } from './older-schema-rows.js';
import { copyThrowawayDatabase, createThrowawayDatabase, type ThrowawayDatabase } from './postgres.js';

/** Databases of older versions, which are cheap when they are taken in the order of their migrations. */
export class MigrationLadder {
  private database: ThrowawayDatabase | undefined;
  private appliedCount = 0;

  /** @returns a new database with the schema of the version whose last migration is `last` */
  async createDatabaseAt(last: string): Promise<ThrowawayDatabase> {
    const { length } = listMigrationNamesUpTo(last);
    if (length < this.appliedCount) await this.drop();
    this.database ??= await createThrowawayDatabase();
    this.appliedCount = length;
    await (await openDatabaseAtMigration(this.database.url, last)).destroy();
    return copyThrowawayDatabase(this.database);
  }

  async drop(): Promise<void> {
    await this.database?.drop();
    this.database = undefined;
  }
}
