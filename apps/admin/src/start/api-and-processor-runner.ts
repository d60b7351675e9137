import { resolveDevelopmentAccountFilePaths, resolveEngineChoiceSettings } from '@app/config';
import {
  prepareDatabaseAndCreateBootContext,
  type BootContext,
  isParentProcessGone,
  resolvePublicUrl,
  type ConfigAndLogger,
  loadConfigAndCreateLogger,
  StartInterruptedError,
} from '@app/runtime';
import { chooseEngineForInstallation, formatImprovement } from '@app/speech';
import { RestartingChildProgram } from './child-program.js';
import { computeShutdownGraceMs } from './shutdown-grace.js';
import { formatStartMessage } from './start-message.js';

/**
 * Runs an API and a processor, and restarts them. Shuts down gracefully on SIGTERM, SIGINT, SIGHUP and when its parent
 * ends. It keeps the embedded database running while a program restarts. The programs start while the database does;
 * each waits for it.
 */
export class ApiAndProcessorRunner {
  private readonly children: RestartingChildProgram[];
  private notReadyCount = 2;
  private stopped: Promise<void> | undefined;
  private resolveEnd: (code: number) => void = () => {};

  private constructor(
    private readonly settings: ConfigAndLogger,
    private readonly booting: Promise<BootContext>,
  ) {
    const { logger } = settings;
    const events = {
      ready: () => this.onChildReady(),
      failedToStart: (name: string, code: number | null) => {
        logger.error({ name, code }, 'could not start');
        void this.stop(1);
      },
      restarting: (name: string, how: string, delayMs: number) =>
        logger.error({ name, how, delayMs }, 'ended unexpectedly, restarting'),
    };
    this.children = [
      new RestartingChildProgram('api', events),
      new RestartingChildProgram('processor', events),
    ];
  }

  /** @returns the exit code @throws errors of the database at start */
  static async run(): Promise<number> {
    const settings = loadConfigAndCreateLogger('admin');
    const service = new ApiAndProcessorRunner(
      settings,
      prepareDatabaseAndCreateBootContext(settings, { waitForDatabase: true }),
    );
    return service.untilEnd();
  }

  private async untilEnd(): Promise<number> {
    const end = new Promise<number>((resolve) => (this.resolveEnd = resolve));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => void this.stop(0));
    process.on('disconnect', () => void this.stop(0));
    // The parent may have ended before.
    if (isParentProcessGone(process)) void this.stop(0);
    else for (const child of this.children) child.start();
    try {
      await this.booting;
    } catch (error) {
      if (error instanceof StartInterruptedError) return end;
      await this.stopChildren();
      throw error;
    }
    return end;
  }

  private onChildReady(): void {
    this.notReadyCount -= 1;
    if (this.notReadyCount > 0) return;
    void this.reportReady();
  }

  private async reportReady(): Promise<void> {
    const engine = await describeEngine(this.settings);
    const address = resolvePublicUrl(this.settings);
    const files = resolveDevelopmentAccountFilePaths(this.settings.config) ?? {};
    process.stdout.write(formatStartMessage(address, files, engine));
    process.send?.({ ready: true }, undefined, undefined, () => undefined);
  }

  private async stop(code: number): Promise<void> {
    this.stopped ??= this.stopAll().then(() => this.resolveEnd(code));
    await this.stopped;
  }

  private async stopAll(): Promise<void> {
    await this.stopChildren();
    // `untilEnd` reports the error.
    const bootContext = await this.booting.catch(() => undefined);
    await bootContext?.release();
  }

  private async stopChildren(): Promise<void> {
    const graceMs = computeShutdownGraceMs(this.settings.config.service);
    await Promise.all(this.children.map((child) => child.stop(graceMs)));
  }
}

/** What the processor has chosen, unless the files have changed since. */
async function describeEngine({ config }: ConfigAndLogger): Promise<string | null> {
  const choice = await chooseEngineForInstallation(resolveEngineChoiceSettings(config)).catch(() => null);
  if (!choice) return null;
  const { engine, recognizer, improvement } = choice;
  const name = recognizer ? `${engine}, ${recognizer.name}` : engine;
  return improvement ? `${name}; ${formatImprovement(improvement)}` : name;
}
