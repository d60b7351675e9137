import 'reflect-metadata';
import { boot, endInOrder, type Foundation, NestLog, startFailed } from '@app/runtime';
import type { SpeechEngine } from '@app/speech';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SPEECH_ENGINE } from './processor-options.js';
import { ProcessorModule } from './processor.module.js';
import { removeLeftFolders } from './work-folder.js';

async function start(foundation: Foundation): Promise<void> {
  const { config, logger } = foundation;
  const app = await NestFactory.create(ProcessorModule.forRoot(foundation), new FastifyAdapter(), {
    logger: new NestLog(logger),
    abortOnError: false,
  });
  await app.get<SpeechEngine>(SPEECH_ENGINE).check();
  endInOrder(app, foundation);
  await removeLeftFolders();
  const { processorPort, host } = config.api;
  await (processorPort === undefined ? app.init() : app.listen(processorPort, host));
  logger.info('consuming');
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

try {
  const foundation = await boot('processor');
  await start(foundation).catch(async (error: unknown) => {
    await foundation.release();
    throw error;
  });
} catch (error) {
  startFailed('processor', error);
}
