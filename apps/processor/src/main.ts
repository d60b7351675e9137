import 'reflect-metadata';
import { workFolder } from '@app/config';
import { StoreAgreement } from '@app/installation';
import {
  boot,
  DependencyHealth,
  endInOrder,
  type Foundation,
  NestLog,
  openOrClose,
  packageVersion,
  startFailed,
  warnOfMissingKeys,
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

async function start(foundation: Foundation): Promise<void> {
  const scratchDirectory = await ScratchDirectory.open(workFolder(foundation.config));
  process.once('exit', () => scratchDirectory.remove());
  const module = ProcessorModule.forRoot(foundation, scratchDirectory);
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    logger: new NestLog(foundation.logger),
    abortOnError: false,
  });
  await openOrClose(app, () => open(app, foundation));
}

async function open(app: INestApplication, foundation: Foundation): Promise<void> {
  const findDecoder = () => findTool(FFMPEG);
  await findDecoder();
  await app.get<SpeechEngine>(SPEECH_ENGINE).check();
  app.get(DependencyHealth).require('decoder', findDecoder);
  const shutDown = endInOrder(app, foundation);
  await app.get(StoreAgreement).begin(shutDown);
  void warnOfMissingKeys(app.get(DataSource), foundation);
  const { processorPort, host, healthHost = host } = foundation.config.api;
  await (processorPort === undefined ? app.init() : app.listen(processorPort, healthHost));
  if (app.get(StoreAgreement).isConfirmed) foundation.logger.info({ version: packageVersion() }, 'consuming');
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
  startFailed('processor', error);
}
