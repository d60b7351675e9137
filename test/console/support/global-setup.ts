import type { TestProject } from 'vitest/node';
import { copyTemplate } from '../../e2e/support/shared-postgres.js';
import { Service } from '../../e2e/support/service.js';
import { TranscriptionServer } from '../../e2e/support/transcription-server.js';

/** Starts the service that all files without special settings share: starting one costs five seconds of CPU time. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { sharedPostgres } = project.getProvidedContext();
  if (sharedPostgres === undefined) throw new Error('The Postgres of the suite is not started.');
  const transcriptions = await TranscriptionServer.start();
  const database = await copyTemplate(sharedPostgres);
  const env = {
    DATABASE_URL: database.url,
    SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000',
    OUTBOUND_ALLOW: '127.0.0.1',
    ENGINE: 'openai',
    OPENAI_BASE_URL: transcriptions.baseUrl,
  };
  try {
    const service = await Service.start({ ...env });
    project.provide('sharedService', { dataDir: service.dataDir, port: service.port, env });
    return async () => {
      await service.stop();
      await transcriptions.stop();
    };
  } catch (error) {
    await transcriptions.stop();
    throw error;
  }
}
