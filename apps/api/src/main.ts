import 'reflect-metadata';
import {
  boot,
  DependencyHealth,
  endInOrder,
  type Foundation,
  NestLog,
  publicUrl,
  startFailed,
} from '@app/runtime';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Drain } from './drain.js';
import { makeDevelopmentAccount } from './first-start.js';
import { boundClosing, httpServer, observeRequests } from './http-server.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { apiDocument } from './openapi/api-document.js';
import { cutUnread } from './pressure/cut-unread.js';
import { PublishedDocument } from './reference/published-document.js';
import { referencePage } from './reference/reference-page.js';
import { handOverBodies } from './validation/unread-body.js';

/** Of the time to shut down: open requests get so much of it, the rest is for the connections. */
const CLOSING_SHARE = 0.8;

async function start(foundation: Foundation): Promise<void> {
  const { config, logger } = foundation;
  const adapter = httpServer(foundation);
  handOverBodies(adapter.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(foundation), adapter, {
    logger: new NestLog(logger),
    abortOnError: false,
    bodyParser: false,
  });
  observeRequests(adapter, app.get(ServiceMetrics));
  cutUnread(adapter.getInstance().server, config.api.unreadSeconds);
  boundClosing(adapter, config.service.shutdownSeconds * CLOSING_SHARE * 1000);
  app.get(PublishedDocument).publish(apiDocument(app), referencePage);
  const drain = new Drain(config.service.drainSeconds, app.get(DependencyHealth));
  drain.watch(adapter);
  endInOrder(app, foundation, () => drain.run());
  await makeDevelopmentAccount(app, foundation);
  await app.listen(config.api.port, config.api.host);
  logger.info({ address: publicUrl(foundation) }, 'listening');
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

try {
  const foundation = await boot('api');
  await start(foundation).catch(async (error: unknown) => {
    await foundation.release();
    throw portTaken(error, foundation) ?? error;
  });
} catch (error) {
  startFailed('api', error);
}

function portTaken(error: unknown, { config }: Foundation): Error | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return undefined;
  return new Error(`port ${config.api.port} is taken by another program; set PORT to a free one.`);
}
