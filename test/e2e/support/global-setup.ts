import type { TestProject } from 'vitest/node';
import { startPrivatePostgres } from '../../support/private-postgres.js';
import { createDataDir, removeDataDir } from './data-dir.js';
import { runProgram } from './program.js';
import { databaseUrl, query, TEMPLATE } from './shared-postgres.js';
import { hostSharedService } from './shared-service.js';

/** Starts one Postgres for the services of the suite and migrates the database that they start with copies of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPrivatePostgres({ settings: { max_connections: '500' } });
  const dataDir = await createDataDir();
  try {
    await query(postgres.url, `CREATE DATABASE ${TEMPLATE}`);
    const { code, stderr } = await runProgram('admin', ['migrate'], {
      DATABASE_URL: databaseUrl(postgres.url, TEMPLATE),
      DATA_DIR: dataDir,
    });
    if (code !== 0) throw new Error(`migrate ended with ${code}: ${stderr}`);
    const shared = await hostSharedService(postgres.url);
    project.provide('sharedPostgres', postgres.url);
    project.provide('sharedServiceUrl', shared.url);
    return async () => {
      await shared.stop();
      await postgres.remove();
    };
  } catch (error) {
    await postgres.remove();
    throw error;
  } finally {
    await removeDataDir(dataDir);
  }
}
