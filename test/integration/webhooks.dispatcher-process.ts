import { type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { spawnBoundToParent } from '../support/child-process.js';
import { compileSources } from '../support/compile-sources.js';

/** Settings of a dispatcher process. */
export interface DispatcherProcessSettings {
  databaseUrl: string;
  /** Base64. */
  encryptionKey: string;
  leaseSeconds: number;
}

const PROGRAM = `
import { createDataSource, Encryptor } from './libs/database/src/index.js';
import { OutboundClient, OutboundGuard } from './libs/outbound/src/index.js';
import { WebhookSigningSecretService, WebhookBodyEncryptor, WebhookDispatcher } from './libs/webhooks/src/index.js';
const { databaseUrl, encryptionKey, leaseSeconds } = JSON.parse(process.argv[2]);
const encryptor = new Encryptor(Buffer.from(encryptionKey, 'base64'));
const options = { url: databaseUrl, poolSize: 2, applicationName: 'dispatching' };
const dataSource = await createDataSource(options).initialize();
const dispatcher = new WebhookDispatcher({
  dataSource,
  leaseSeconds,
  concurrency: 32,
  backoffSeconds: [5, 30, 120],
  client: new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'] })),
  secrets: new WebhookSigningSecretService(dataSource, encryptor),
  bodies: new WebhookBodyEncryptor(dataSource, encryptor),
  createDownloadUrl: async ({ id }) => 'https://store.example/' + id,
  logger: console,
  onAttempt: () => console.log('recorded'),
});
await dispatcher.dispatchOnce();
console.log('ended');
process.exit(0);
`;

/** Runs a dispatcher in its own process, so that a test can kill or pause it. */
export async function compileDispatcherProcess(): Promise<{
  start(settings: DispatcherProcessSettings): ChildProcess;
  remove(): Promise<void>;
}> {
  const compiled = await compileSources(['libs/webhooks/src']);
  const program = compiled.path('program.js');
  await writeFile(program, PROGRAM);
  return {
    start: (settings) =>
      spawnBoundToParent(process.execPath, [program, JSON.stringify(settings)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    remove: () => compiled.remove(),
  };
}
