import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { Environment } from './program.js';
import { RunningService } from './running-service.js';
import { Service } from './service.js';
import { copyTemplate } from './shared-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which the process of the run tells where the shared service is. */
    sharedServiceUrl: string;
  }
}

const SETTINGS: Environment = {
  LEASE_SECONDS: '3',
  OUTBOUND_ALLOW: '127.0.0.1',
  SIGN_IN_ATTEMPTS_PER_ADDRESS: '100000',
};

type Location = Pick<RunningService, 'dataDir' | 'port' | 'settings'>;

/**
 * A service for files that need no special settings and stop nothing. Each has accounts of its own, and mail addresses in a
 * domain of its own; jobs, users and the log of other files are there, too.
 */
export async function useSharedService(): Promise<RunningService> {
  const response = await fetch(inject('sharedServiceUrl'));
  const text = await response.text();
  if (!response.ok) throw new Error(`The shared service did not start: ${text}`);
  const { dataDir, port, settings } = JSON.parse(text) as Location;
  return new RunningService(dataDir, port, settings);
}

/** Starts the service when the first file asks for it. It belongs to the process of the run, because files end before others. */
export async function hostSharedService(
  postgresUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  let starting: Promise<Service> | undefined;
  const start = async () => {
    const { url } = await copyTemplate(postgresUrl);
    return Service.start({ ...SETTINGS, DATABASE_URL: url });
  };
  const server = createServer((_, response) => {
    starting ??= start();
    starting.then(
      ({ dataDir, port, settings }) =>
        response.end(JSON.stringify({ dataDir, port, settings } satisfies Location)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await (await starting?.catch(() => undefined))?.stop();
    },
  };
}
