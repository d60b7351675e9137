import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../support/child-process.js';
import { createSharedDatabase, type SharedDatabase } from './shared-postgres.js';

/** A database without accounts, an empty folder and a free port, for code of the documentation that starts or restores a service. */
export class SampleInstallation {
  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly database: SharedDatabase,
  ) {}

  /** @param template of the database, by default the migrated one */
  static async create(template?: string): Promise<SampleInstallation> {
    const database = await createSharedDatabase(template);
    if (database === undefined) throw new Error('This suite has no shared database server.');
    const dataDir = await mkdtemp(join(tmpdir(), 'sample-installation-'));
    return new SampleInstallation(dataDir, await findFreePort(), database);
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  get settings(): Record<string, string> {
    return { DATABASE_URL: this.databaseUrl, DATA_DIR: this.dataDir, PORT: String(this.port) };
  }

  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
    await this.database.drop();
  }
}
