import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { resolveDevelopmentKeyFile } from '@app/config';
import { StoreIdentityVerifier } from '@app/installation';
import {
  boot,
  DependencyHealth,
  registerGracefulShutdown,
  type BootContext,
  NestLoggerAdapter,
  packageVersion,
  resolvePublicUrl,
  exitAfterFailedStart,
  warnAboutMissingEncryptionKeys,
} from '@app/runtime';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { ConnectionDrainer } from './connection-drainer.js';
import { createDevelopmentAccount } from './development-account.js';
import { HealthServer } from './health-server.js';
import { forceCloseAfter, createHttpAdapter, registerRequestLogging } from './http-adapter.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { buildApiDocument } from './openapi/build-api-document.js';
import { disconnectSlowReaders } from './admission/disconnect-slow-readers.js';
import { PublishedDocument } from './reference/published-document.js';
import { referenceDocument } from './reference/reference-document.js';
import { registerReferenceRedirects } from './reference/reference-redirects.js';
import { registerIgnoredFieldsHeader } from './validation/ignored-fields.js';
import { registerRawBodyParser } from './request-body/register-raw-body-parser.js';

const INSTALLATION_MISMATCH = 'the object store does not match this database; run `store show`';
/** Milliseconds. It reads the object store, and changes only when an operator restores or adopts something. */
const INSTALLATION_CHECK_TIMINGS = { freshMs: 10_000, patienceMs: 1_000, boundMs: 10_000 };

/** Of the time to shut down: open requests get so much of it, the rest is for the connections. */
const REQUEST_SHUTDOWN_SHARE = 0.8;

async function start(foundation: BootContext): Promise<void> {
  const { config, logger } = foundation;
  const adapter = createHttpAdapter(foundation);
  registerRawBodyParser(adapter.getInstance());
  registerIgnoredFieldsHeader(adapter.getInstance());
  registerReferenceRedirects(adapter);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(foundation), adapter, {
    logger: new NestLoggerAdapter(logger),
    abortOnError: false,
    bodyParser: false,
  });
  registerRequestLogging(adapter, app.get(ServiceMetrics));
  disconnectSlowReaders(adapter.getInstance().server, config.api.slowReaderTimeoutSeconds);
  forceCloseAfter(adapter, config.service.shutdownSeconds * REQUEST_SHUTDOWN_SHARE * 1000);
  const document = buildApiDocument(app);
  app.get(PublishedDocument).publish(document, referenceDocument(document, resolvePublicUrl(foundation)));
  const drain = new ConnectionDrainer(config.service.drainSeconds, app.get(DependencyHealth));
  drain.attach(adapter);
  const { port, host, healthPort, healthHost = host } = config.api;
  const health = healthPort === undefined ? undefined : new HealthServer(adapter, healthPort);
  const endFor = registerGracefulShutdown(app, foundation, () => drain.drain());
  const agreement = app.get(StoreIdentityVerifier);
  await agreement.start(endFor);
  app
    .get(DependencyHealth)
    .expect(
      'installation',
      () => agreement.verifyIfReachable(),
      INSTALLATION_MISMATCH,
      INSTALLATION_CHECK_TIMINGS,
    );
  void warnAboutMissingEncryptionKeys(app.get(DataSource), foundation);
  await createDevelopmentAccount(app, foundation);
  await app.listen(port, host);
  await health?.listen(healthHost);
  const address = resolvePublicUrl(foundation);
  const keyFile = resolveDevelopmentKeyFile(config);
  logger.info(
    {
      version: packageVersion(),
      address,
      reference: `${address}/docs`,
      ...(keyFile !== undefined && existsSync(keyFile) && { developmentKeyFile: keyFile }),
    },
    'listening',
  );
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

try {
  const foundation = await boot('api');
  await start(foundation).catch(async (error: unknown) => {
    await foundation.release();
    throw toPortInUseError(error, foundation) ?? error;
  });
} catch (error) {
  exitAfterFailedStart('api', error);
}

function toPortInUseError(error: unknown, { config }: BootContext): Error | undefined {
  const { code, port = config.api.port } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return undefined;
  const setting = port === config.api.healthPort ? 'HEALTH_PORT' : 'PORT';
  return new Error(`port ${port} is taken by another program; set ${setting} to a free one.`);
}
