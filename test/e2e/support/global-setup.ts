import type { TestProject } from 'vitest/node';
import { startPrivatePostgres } from '../../support/private-postgres.js';
import { createDataDir, removeDataDir } from './data-dir.js';
import { runProgram } from './program.js';
import { databaseUrl, query, TEMPLATE } from './shared-postgres.js';
import { hostSharedService } from './shared-service.js';
import { TranscriptionServer } from './transcription-server.js';

/** It is never killed, so its log needs neither whole pages nor what a standby reads. */
const SETTINGS = {
  max_connections: '500',
  autovacuum: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Starts one Postgres for the services of the suite and migrates the database that they start with copies of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPrivatePostgres({ settings: SETTINGS });
  const dataDir = await createDataDir();
  try {
    await query(postgres.url, `CREATE DATABASE ${TEMPLATE}`);
    const { code, stderr } = await runProgram('admin', ['migrate'], {
      DATABASE_URL: databaseUrl(postgres.url, TEMPLATE),
      DATA_DIR: dataDir,
    });
    if (code !== 0) throw new Error(`migrate ended with ${code}: ${stderr}`);
    const engine = await TranscriptionServer.start();
    const engineSettings = { ENGINE: 'openai', OPENAI_BASE_URL: engine.baseUrl };
    const shared = await hostSharedService(postgres.url, engineSettings);
    project.provide('engineSettings', engineSettings);
    project.provide('sharedPostgres', postgres.url);
    project.provide('sharedServiceUrl', shared.url);
    return async () => {
      await shared.stop();
      await engine.stop();
      await postgres.remove();
    };
  } catch (error) {
    await postgres.remove();
    throw error;
  } finally {
    await removeDataDir(dataDir);
  }
}
