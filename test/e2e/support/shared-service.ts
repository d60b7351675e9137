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
    /** Of an engine that answers at once with a word for each 0.4 s of sound, for tests that check no recognized words. */
    engineSettings: { ENGINE: string; OPENAI_BASE_URL: string };
  }
}

/** The origin of the console's pages in the shared service with a public URL. */
export const PUBLIC_ORIGIN = 'https://console.example.org';

const COMMON: Environment = { LEASE_SECONDS: '3', SIGN_IN_ATTEMPTS_PER_ADDRESS: '100000' };
const SETTINGS = {
  default: { ...COMMON, OUTBOUND_ALLOW: '127.0.0.1', TRANSCRIPT_RETENTION_DAYS: '30' },
  // Most of its files are about other things than the second factor that this address requires by default.
  publicUrl: { ...COMMON, PUBLIC_URL: PUBLIC_ORIGIN, REQUIRE_TWO_FACTORS: 'false' },
  rateLimits: { ...COMMON, RATE_LIMIT_FACTOR: '1' },
} satisfies Record<string, Environment>;

export type SharedServiceName = keyof typeof SETTINGS;

/** No job is processed in the others. */
const WITH_PROCESSOR: readonly SharedServiceName[] = ['default'];

type Location = Pick<RunningService, 'dataDir' | 'port' | 'settings'>;

/**
 * A service for files that need no special settings, check no recognized words and stop nothing. Each has accounts of its own,
 * and mail addresses in a domain of its own; jobs, users and the log of other files are there, too.
 *
 * @param name of its settings
 */
export async function useSharedService(name: SharedServiceName = 'default'): Promise<RunningService> {
  const response = await fetch(`${inject('sharedServiceUrl')}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The shared service did not start: ${text}`);
  const { dataDir, port, settings } = JSON.parse(text) as Location;
  return new RunningService(dataDir, port, settings);
}

/** Starts each service when the first file asks for it. They belong to the process of the run, because files end before others. */
export async function hostSharedService(
  postgresUrl: string,
  engineSettings: Environment,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const services = new Map<SharedServiceName, Promise<Service>>();
  const start = async (name: SharedServiceName) => {
    const { url } = await copyTemplate(postgresUrl);
    const settings = { ...engineSettings, ...SETTINGS[name], DATABASE_URL: url };
    return WITH_PROCESSOR.includes(name) ? Service.start(settings) : Service.startApi(settings);
  };
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) as SharedServiceName;
    const starting = services.get(name) ?? start(name);
    services.set(name, starting);
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
      await Promise.all(
        [...services.values()].map(async (starting) => (await starting.catch(() => undefined))?.stop()),
      );
    },
  };
}
