import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { assertValidBreachedPasswordsFile } from '@app/auth';
import { InvalidConfigError, resolveDevelopmentAccountFilePaths } from '@app/config';
import { StoreOwnershipService } from '@app/installation';
import {
  createBootContextAndMigrate,
  DependencyHealthRegistry,
  registerGracefulShutdown,
  resolveHealthHostAndSetting,
  type BootContext,
  withReadableListenErrors,
  NestLoggerAdapter,
  readPackageVersion,
  resolvePublicUrl,
  exitAfterFailedStart,
  warnAboutUndecryptableRows,
} from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { registerConsoleSite } from './console-site/register-console-site.js';
import { findUploadOrigin } from './console-site/upload-origin.js';
import { registerRootIndexAndDocsRedirect } from './console-site/register-root-index-and-docs-redirect.js';
import { ConnectionDrainer } from './connection-drainer.js';
import { ensureDevelopmentAccount } from './development-account.js';
import { registerGuideSite } from './guide-site/register-guide-site.js';
import { registerPackageDownloads } from './package-downloads/register-package-downloads.js';
import { ExclusiveHealthAndMetricsPort } from './exclusive-health-and-metrics-port.js';
import {
  forceCloseConnectionsOnShutdown,
  createHttpAdapter,
  registerRequestTelemetry,
} from './http-adapter.js';
import { ApiMetrics } from './metrics/api-metrics.js';
import { buildApiDocument } from './openapi/build-api-document.js';
import { disconnectSlowReaders } from './admission/disconnect-slow-readers.js';
import { ApiDocumentHolder } from './reference/api-document-holder.js';
import { toReferencePageDocument } from './reference/to-reference-page-document.js';
import { registerRequestTracing } from './request-tracing.js';
import { registerIgnoredFieldsHeader } from './validation/ignored-fields.js';
import { registerUnreadBodyPassthrough } from './request-body/register-unread-body-passthrough.js';

const INSTALLATION_MISMATCH = 'the object store does not match this database; run `store show`';
/** The check reads the object store; its result changes only when an operator restores or adopts a store. */
const INSTALLATION_CHECK_TIMINGS = { cacheMs: 10_000, maxWaitMs: 1_000, downAfterMs: 10_000 };

/** Share of the shutdown time for open requests; the rest is for closing connections. */
const REQUEST_SHUTDOWN_SHARE = 0.8;

async function assertBreachedPasswordsFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await assertValidBreachedPasswordsFile(path).catch((error: unknown) => {
    throw new InvalidConfigError([error instanceof Error ? error.message : String(error)]);
  });
}

async function start(context: BootContext): Promise<void> {
  const { config, logger } = context;
  await assertBreachedPasswordsFile(config.sessions.breachedPasswordsFile);
  const adapter = createHttpAdapter(context, config.api.trustedProxies);
  registerUnreadBodyPassthrough(adapter.getInstance());
  registerIgnoredFieldsHeader(adapter.getInstance());
  registerRootIndexAndDocsRedirect(adapter.getInstance(), { version: readPackageVersion() });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(context), adapter, {
    logger: new NestLoggerAdapter(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const publicUrl = resolvePublicUrl(context);
  const uploadOrigin = await findUploadOrigin(app.get<ObjectStore>(OBJECT_STORE_TOKEN), publicUrl);
  if (!(await registerConsoleSite(adapter.getInstance(), { publicUrl, uploadOrigin })))
    logger.warn('the pages of the console are not built; run node scripts/build-console.mjs');
  if (!(await registerGuideSite(adapter.getInstance(), { publicUrl })))
    logger.warn('the documentation site is not built; run node scripts/build-guide.mjs');
  if (!(await registerPackageDownloads(adapter.getInstance())))
    logger.warn('the client and the command line are not packed; run npm run build:packages');
  registerRequestTracing(adapter);
  registerRequestTelemetry(adapter, app.get(ApiMetrics));
  disconnectSlowReaders(adapter.getInstance().server, config.api.slowReaderTimeoutSeconds);
  forceCloseConnectionsOnShutdown(adapter, config.service.shutdownSeconds * REQUEST_SHUTDOWN_SHARE * 1000);
  const document = buildApiDocument(app);
  app.get(ApiDocumentHolder).publish(document, toReferencePageDocument(document, publicUrl));
  const drainer = new ConnectionDrainer(config.service.drainSeconds, app.get(DependencyHealthRegistry));
  drainer.attach(adapter);
  const { port, host, healthPort } = config.api;
  const health =
    healthPort === undefined ? undefined : new ExclusiveHealthAndMetricsPort(adapter, healthPort);
  const shutDown = registerGracefulShutdown(app, context, () => drainer.drain());
  const storeOwnership = app.get(StoreOwnershipService);
  await storeOwnership.start(shutDown);
  app
    .get(DependencyHealthRegistry)
    .registerOptionalCheck(
      'installation',
      () => storeOwnership.verifyIfReachable(),
      INSTALLATION_MISMATCH,
      INSTALLATION_CHECK_TIMINGS,
    );
  void warnAboutUndecryptableRows(app.get(DataSource), context);
  await ensureDevelopmentAccount(app, context);
  await withReadableListenErrors({ port, portSetting: 'PORT', host, hostSetting: 'HOST' }, () =>
    app.listen(port, host),
  );
  await health?.listen(resolveHealthHostAndSetting(config));
  const keyFile = resolveDevelopmentAccountFilePaths(config)?.keyFile;
  logger.info(
    {
      version: readPackageVersion(),
      address: publicUrl,
      reference: `${publicUrl}/docs`,
      ...(keyFile !== undefined && existsSync(keyFile) && { developmentKeyFile: keyFile }),
    },
    'listening',
  );
  process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

async function run(): Promise<void> {
  try {
    const context = await createBootContextAndMigrate('api');
    await start(context).catch(async (error: unknown) => {
      await context.release();
      throw error;
    });
  } catch (error) {
    exitAfterFailedStart('api', error);
  }
}

void run();
