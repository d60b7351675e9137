import type { INestApplicationContext } from '@nestjs/common';
import type { BootContext } from './boot/boot.js';
import { StartInterruptedError, isParentProcessGone } from './boot/start-interruption.js';
import { describeError } from '@app/errors';

/**
 * Shuts down once: on SIGTERM, SIGINT or SIGHUP, when the parent process ends, or after an uncaught error.
 * @param drain runs first after SIGTERM, so that load balancers stop routing to this program
 * @returns a function that shuts down after a fatal error
 */
export function registerGracefulShutdown(
  app: INestApplicationContext,
  context: BootContext,
  drain: () => Promise<void> = () => Promise.resolve(),
): (error: Error) => void {
  const { logger, config } = context;
  let ending = false;

  const end = async (why: string, code: number, beforeClose?: () => Promise<void>) => {
    if (ending) return;
    ending = true;
    logger.info({ why }, 'stopping');
    await beforeClose?.();
    const deadline = setTimeout(() => {
      logger.error('shutdown took too long, exiting');
      process.exit(1);
    }, config.service.shutdownSeconds * 1000);
    deadline.unref();
    await app.close().catch((error: unknown) => logger.error({ error }, 'stopping failed'));
    await context.release().catch((error: unknown) => logger.error({ error }, 'closing the database failed'));
    logger.info('stopped');
    process.exit(code);
  };

  process.on('SIGTERM', () => void end('SIGTERM', 0, drain));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(signal, 0));
  const onParentGone = () => void end('the parent process is gone', 0);
  process.on('disconnect', onParentGone);
  // The parent may have ended during startup.
  if (isParentProcessGone(process)) onParentGone();
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'uncaught exception');
    void end('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ error }, 'unhandled rejection');
    void end('unhandled rejection', 1);
  });
  return (error) => {
    logger.fatal(error.message);
    void end(error.name, 1);
  };
}

/** If the port is in use, for example, the app may already consume messages. @throws the error of `open` */
export async function closeAppIfOpeningFails(
  app: Pick<INestApplicationContext, 'close'>,
  open: () => Promise<void>,
): Promise<void> {
  try {
    await open();
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Prints nothing if the program was stopped while it started. */
export function exitAfterFailedStart(program: string, error: unknown): never {
  if (error instanceof StartInterruptedError) process.exit(0);
  process.stderr.write(`${program}: ${describeError(error)}\n`);
  process.exit(1);
}
