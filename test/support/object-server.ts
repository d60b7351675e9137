import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { FileObjectStore, OBJECT_STORE_TOKEN, type FileStoreOptions, StorageModule } from '@app/storage';
import { ObjectsModule } from '../../apps/api/src/objects/objects.module.js';
import { registerUnreadBodyPassthrough } from '../../apps/api/src/request-body/register-unread-body-passthrough.js';
import { FreeDiskSpaceCheck } from '../../apps/api/src/admission/free-disk-space-check.js';
import { RequestConcurrencyLimiters } from '../../apps/api/src/admission/request-concurrency-limiters.js';
import { findFreePort } from './child-process.js';
import { createUnlimitedAdmissionControl } from './unlimited-admission-control.js';

export interface ObjectServer {
  store: FileObjectStore;
  options: FileStoreOptions;
  /** The directory of the store. */
  root: string;
  close(): Promise<void>;
}

export const ALLOWED_ORIGIN = 'https://console.example';

/** Serves a file store in a temporary directory with the real controller on a loopback port. */
export async function startObjectServer(
  changes: Partial<FileStoreOptions> = {},
  idleTimeoutMs = 30_000,
  diskReserve?: FreeDiskSpaceCheck,
) {
  const directory = changes.root ?? (await mkdtemp(join(tmpdir(), 'zephyr-objects-')));
  const port = await findFreePort();
  const options: FileStoreOptions = {
    root: join(directory, 'store'),
    publicUrl: `http://127.0.0.1:${port}`,
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 'first') }],
    maxPutBytes: 64 * 1024 * 1024,
    ...changes,
  };

  @Module({
    imports: [
      StorageModule.forRoot({ kind: 'files', ...options }),
      ObjectsModule.forRoot(
        {
          corsOrigins: [ALLOWED_ORIGIN],
          minTransferRate: { idleTimeoutMs: idleTimeoutMs, bytesPerSecond: 0 },
        },
        { provide: RequestConcurrencyLimiters, useValue: createUnlimitedAdmissionControl() },
        ...(diskReserve ? [{ provide: FreeDiskSpaceCheck, useValue: diskReserve }] : []),
      ),
    ],
  })
  class ObjectServerModule {}

  const adapter = new FastifyAdapter();
  registerUnreadBodyPassthrough(adapter.getInstance());
  const app: INestApplication = await NestFactory.create<NestFastifyApplication>(
    ObjectServerModule,
    adapter,
    {
      logger: false,
      bodyParser: false,
    },
  );
  await app.listen(port, '127.0.0.1');
  const server: ObjectServer = {
    store: app.get<FileObjectStore>(OBJECT_STORE_TOKEN),
    options,
    root: options.root,
    close: async () => {
      await app.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}
