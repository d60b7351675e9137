import { type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { spawnBoundToParent } from '../support/child-process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIBS = ['libs/webhooks/src', 'libs/database/src'];

/** Settings of a dispatcher process. */
export interface DispatcherProcessSettings {
  databaseUrl: string;
  /** Base64. */
  encryptionKey: string;
  leaseSeconds: number;
}

const PROGRAM = `
import { createDataSource, Encryptor } from './libs/database/src/index.js';
import { Dispatcher, OutboundClient, OutboundGuard, SealedWebhookBodies, SigningSecrets } from './libs/webhooks/src/index.js';
const { databaseUrl, encryptionKey, leaseSeconds } = JSON.parse(process.argv[2]);
const encryptor = new Encryptor(Buffer.from(encryptionKey, 'base64'));
const options = { url: databaseUrl, poolSize: 2, applicationName: 'dispatching' };
const dataSource = await createDataSource(options).initialize();
const dispatcher = new Dispatcher({
  dataSource,
  leaseSeconds,
  client: new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'] })),
  secrets: new SigningSecrets(dataSource, encryptor),
  bodies: new SealedWebhookBodies(dataSource, encryptor),
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
  const target = join(ROOT, '.cache', `dispatching-${process.pid}`);
  for (const lib of LIBS) {
    for (const entry of await readdir(join(ROOT, lib), { recursive: true })) {
      const source = join(lib, entry);
      if (/(?<!\.test|\.contract|\.d)\.ts$/.test(source)) await compileFile(source, target);
    }
  }
  await writeFile(join(target, 'program.js'), PROGRAM);
  return {
    start: (settings) =>
      spawnBoundToParent(process.execPath, [join(target, 'program.js'), JSON.stringify(settings)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    remove: () => rm(target, { recursive: true, force: true }),
  };
}

async function compileFile(source: string, target: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(join(ROOT, source), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const place = join(target, source.replace(/\.ts$/, '.js'));
  await mkdir(dirname(place), { recursive: true });
  const up = '../'.repeat(dirname(source).split('/').length);
  await writeFile(
    place,
    outputText.replace(/'@app\/(\w+)'/g, (_, lib: string) => `'${up}libs/${lib}/src/index.js'`),
  );
}
