import 'reflect-metadata';
import { loadConfig } from '@app/config';
import { createLogger, type BootContext } from '@app/runtime';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module.js';
import { buildApiDocument } from './build-api-document.js';
import { buildConsoleDocument } from './build-console-document.js';
import type { ApiDocument } from './document-types.js';

/** Creates the application without instantiating providers: it needs no database, queue or store. */
export async function createPreviewApp(adapter = new FastifyAdapter()): Promise<NestFastifyApplication> {
  const context: BootContext = {
    program: 'api',
    config: loadConfig({}),
    logger: createLogger({ level: 'silent', pretty: false, program: 'api' }),
    databaseUrl: '',
    deriveKeys: () => [Buffer.alloc(32)],
    hashingKey: Buffer.alloc(32),
    secrets: [''],
    release: () => Promise.resolve(),
  };
  return NestFactory.create<NestFastifyApplication>(AppModule.forRoot(context), adapter, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}

/** Builds the document that the running service publishes. */
export async function buildApiDocumentFromPreviewApp(): Promise<ApiDocument> {
  return buildApiDocument(await createPreviewApp());
}

/** Builds the document of the console's own routes. */
export async function buildConsoleDocumentFromPreviewApp(): Promise<ReturnType<typeof buildConsoleDocument>> {
  return buildConsoleDocument(await createPreviewApp());
}
