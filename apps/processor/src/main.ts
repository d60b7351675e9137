import 'reflect-metadata';
import { resolveEngineChoiceSettings, resolveWorkFolder } from '@app/config';
import { StoreOwnershipService } from '@app/installation';
import {
  createBootContextAndMigrate,
  DependencyHealthRegistry,
  registerGracefulShutdown,
  type BootContext,
  NestLoggerAdapter,
  closeAppIfOpeningFails,
  readPackageVersion,
  exitAfterFailedStart,
  warnAboutUndecryptableRows,
} from '@app/runtime';
import { checkDecoder, chooseEngineForInstallation, type SpeechEngine } from '@app/speech';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { SPEECH_ENGINE_TOKEN } from './engine/engine-tokens.js';
import { logEngineChoice } from './engine/log-engine-choice.js';
import { prepareMediaSandbox } from './media-sandbox.js';
import { ProcessorModule } from './processor.module.js';
import { limitHeapGrowth } from './heap.js';
import { ScratchDirectory } from './scratch/scratch-directory.js';
import { startAndServeHealthAndMetrics } from './serve-health-and-metrics.js';
import { QueueAndWebhookWorkStarter } from './work-lifecycle.js';

async function start(context: BootContext): Promise<void> {
  const scratchDirectory = await ScratchDirectory.open(resolveWorkFolder(context.config));
  process.once('exit', () => scratchDirectory.remove());
  const protections = await prepareMediaSandbox(context);
  const engineChoice = await chooseEngineForInstallation(resolveEngineChoiceSettings(context.config));
  logEngineChoice(context.logger, engineChoice);
  const module = ProcessorModule.forRoot(context, scratchDirectory, engineChoice, protections);
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    logger: new NestLoggerAdapter(context.logger),
    abortOnError: false,
  });
  await closeAppIfOpeningFails(app, () => open(app, context));
}

async function open(app: INestApplication, context: BootContext): Promise<void> {
  await checkDecoder();
  await app.get<SpeechEngine>(SPEECH_ENGINE_TOKEN).check();
  app.get(DependencyHealthRegistry).registerRequiredCheck('decoder', checkDecoder);
  const shutDown = registerGracefulShutdown(app, context);
  await app.get(StoreOwnershipService).start(shutDown);
  void app
    .get(QueueAndWebhookWorkStarter)
    .started.then(() =>
      context.logger.info({ version: readPackageVersion() }, 'ready, consuming the queues'),
    );
  void warnAboutUndecryptableRows(app.get(DataSource), context);
  await startAndServeHealthAndMetrics(app, context.config);
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

async function run(): Promise<void> {
  try {
    limitHeapGrowth();
    const context = await createBootContextAndMigrate('processor');
    await start(context).catch(async (error: unknown) => {
      await context.release();
      throw error;
    });
  } catch (error) {
    exitAfterFailedStart('processor', error);
  }
}

void run();
