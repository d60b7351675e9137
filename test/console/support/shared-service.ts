import { inject } from 'vitest';
import type { Environment } from '../../e2e/support/program.js';
import { RunningService } from '../../e2e/support/running-service.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The service that `global-setup.ts` started. */
    sharedService: { dataDir: string; port: number; env: Environment };
  }
}

/**
 * The service of the run, for files without special settings. Its engine is the `TranscriptionServer`. Accounts and mail
 * addresses of other files are in it, too.
 */
export function getSharedService(): RunningService {
  const { dataDir, port, env } = inject('sharedService');
  return new RunningService(dataDir, port, env);
}
