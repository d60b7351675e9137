import type { INestApplicationContext } from '@nestjs/common';
import type { Foundation } from './boot/boot.js';
import { reasonOf } from './reason-of.js';

/**
 * Ends the program in order, once: on SIGTERM or SIGINT, when the program that started it is gone, or after an
 * error nobody caught. Nest's hooks stop what takes work, then what does it, then the connections.
 * @param drain done first where it is SIGTERM that ends the program: somebody else is to take its place
 */
export function endInOrder(
  app: INestApplicationContext,
  foundation: Foundation,
  drain: () => Promise<void> = () => Promise.resolve(),
): void {
  const { logger, config } = foundation;
  let ending = false;

  const end = async (why: string, code: number, first?: () => Promise<void>) => {
    if (ending) return;
    ending = true;
    logger.info({ why }, 'stopping');
    await first?.();
    const deadline = setTimeout(() => {
      logger.error('not stopped in time, leaving all the same');
      process.exit(1);
    }, config.service.shutdownSeconds * 1000);
    deadline.unref();
    await app.close().catch((error: unknown) => logger.error({ error }, 'stopping failed'));
    await foundation
      .release()
      .catch((error: unknown) => logger.error({ error }, 'letting go of the database failed'));
    logger.info('stopped');
    process.exit(code);
  };

  process.on('SIGTERM', () => void end('SIGTERM', 0, drain));
  process.on('SIGINT', () => void end('SIGINT', 0));
  const orphaned = () => void end('the parent process is gone', 0);
  process.on('disconnect', orphaned);
  // It may have gone while this program came up.
  if (parentIsGone(process)) orphaned();
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'uncaught exception');
    void end('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ error }, 'unhandled rejection');
    void end('unhandled rejection', 1);
  });
}

/** Whether the program that started this one, with a channel between them, has gone or given it up. */
export function parentIsGone({ send, connected }: Pick<NodeJS.Process, 'send' | 'connected'>): boolean {
  return send !== undefined && !connected;
}

/**
 * Opens a program, or ends in order what of it has begun: it may be consuming when its port turns out to be taken, and
 * what it holds is to be given back.
 * @throws what `open` threw
 */
export async function openOrClose(
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

/** Ends a program that could not start with one clear line. */
export function startFailed(program: string, error: unknown): never {
  process.stderr.write(`${program}: ${reasonOf(error)}\n`);
  process.exit(1);
}
