import 'reflect-metadata';
import { loadConfig } from '@app/config';
import { createLogger, type BootContext } from '@app/runtime';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module.js';
import { buildApiDocument } from './build-api-document.js';
import type { ApiDocument } from './document-types.js';

/** The application as it is wired, with none of its parts made: no database, no queue, no store. */
export async function createPreviewApp(adapter = new FastifyAdapter()): Promise<NestFastifyApplication> {
  const foundation: BootContext = {
    program: 'api',
    config: loadConfig({}),
    logger: createLogger({ level: 'silent', pretty: false, program: 'api' }),
    databaseUrl: '',
    keys: () => [Buffer.alloc(32)],
    hashingKey: Buffer.alloc(32),
    secrets: [''],
    release: () => Promise.resolve(),
  };
  return NestFactory.create<NestFastifyApplication>(AppModule.forRoot(foundation), adapter, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}

/** The document that the running service publishes, without one. */
export async function previewDocument(): Promise<ApiDocument> {
  return buildApiDocument(await createPreviewApp());
}
