import 'reflect-metadata';
import { resolveWorkFolder } from '@app/config';
import { StoreIdentityVerifier } from '@app/installation';
import {
  boot,
  DependencyHealth,
  registerGracefulShutdown,
  type BootContext,
  NestLoggerAdapter,
  openOrCloseApp,
  packageVersion,
  exitAfterFailedStart,
  warnAboutMissingEncryptionKeys,
} from '@app/runtime';
import { FFMPEG, findTool, type SpeechEngine } from '@app/speech';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { SPEECH_ENGINE } from './processor-options.js';
import { ProcessorModule } from './processor.module.js';
import { limitHeapGrowth } from './garbage-collection.js';
import { ScratchDirectory } from './scratch-directory.js';

async function start(foundation: BootContext): Promise<void> {
  const scratchDirectory = await ScratchDirectory.open(resolveWorkFolder(foundation.config));
  process.once('exit', () => scratchDirectory.remove());
  const module = ProcessorModule.forRoot(foundation, scratchDirectory);
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    logger: new NestLoggerAdapter(foundation.logger),
    abortOnError: false,
  });
  await openOrCloseApp(app, () => open(app, foundation));
}

async function open(app: INestApplication, foundation: BootContext): Promise<void> {
  const findDecoder = () => findTool(FFMPEG);
  await findDecoder();
  await app.get<SpeechEngine>(SPEECH_ENGINE).check();
  app.get(DependencyHealth).require('decoder', findDecoder);
  const shutDown = registerGracefulShutdown(app, foundation);
  await app.get(StoreIdentityVerifier).start(shutDown);
  void warnAboutMissingEncryptionKeys(app.get(DataSource), foundation);
  const { processorPort, host, healthHost = host } = foundation.config.api;
  await (processorPort === undefined ? app.init() : app.listen(processorPort, healthHost));
  if (app.get(StoreIdentityVerifier).isConfirmed)
    foundation.logger.info({ version: packageVersion() }, 'consuming');
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

try {
  limitHeapGrowth();
  const foundation = await boot('processor');
  await start(foundation).catch(async (error: unknown) => {
    await foundation.release();
    throw error;
  });
} catch (error) {
  exitAfterFailedStart('processor', error);
}
