import { existsSync } from 'node:fs';
import { developmentKeyFile } from '@app/config';
import {
  bootWith,
  type Foundation,
  packageVersion,
  parentIsGone,
  publicUrl,
  type Settings,
  settingsOf,
  StartInterrupted,
} from '@app/runtime';
import { Child } from './child.js';

/** Beyond the time that the programs give themselves. */
const EXTRA_GRACE_MS = 5_000;

/**
 * The whole service on one machine: an API and a processor, watched. Ends in order on SIGTERM, SIGINT and SIGHUP, and
 * when the program that started it is gone. Holds the embedded database, so that a restart of a program does not stop
 * it. The programs are loaded while the database starts; each waits for it by itself, as it would without this one.
 */
export class Service {
  private readonly children: Child[];
  private waitingFor = 2;
  private stopped: Promise<void> | undefined;
  private resolveEnd: (code: number) => void = () => {};

  private constructor(
    private readonly settings: Settings,
    private readonly booting: Promise<Foundation>,
  ) {
    const { logger } = settings;
    const events = {
      ready: () => this.childReady(),
      stillborn: (name: string, code: number | null) => {
        logger.error({ name, code }, 'could not start');
        void this.stop(1);
      },
      restarting: (name: string, how: string, delayMs: number) =>
        logger.error({ name, how, delayMs }, 'ended unexpectedly, restarting'),
    };
    this.children = [new Child('api', events), new Child('processor', events)];
  }

  /** @returns the exit code, when the service has ended. @throws what keeps the database from being used */
  static async run(): Promise<number> {
    const settings = settingsOf('admin');
    const service = new Service(settings, bootWith(settings, { waiting: true }));
    return service.untilEnd();
  }

  private async untilEnd(): Promise<number> {
    const end = new Promise<number>((resolve) => (this.resolveEnd = resolve));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => void this.stop(0));
    process.on('disconnect', () => void this.stop(0));
    // It may have gone before.
    if (parentIsGone(process)) void this.stop(0);
    else for (const child of this.children) child.start();
    try {
      await this.booting;
    } catch (error) {
      if (error instanceof StartInterrupted) return end;
      await this.stopChildren();
      throw error;
    }
    return end;
  }

  private childReady(): void {
    this.waitingFor -= 1;
    if (this.waitingFor > 0) return;
    process.stdout.write(startText(this.settings));
    process.send?.({ ready: true }, undefined, undefined, () => undefined);
  }

  private async stop(code: number): Promise<void> {
    this.stopped ??= this.stopAll().then(() => this.resolveEnd(code));
    await this.stopped;
  }

  private async stopAll(): Promise<void> {
    await this.stopChildren();
    // Why there is none is told by whoever waits for it.
    const foundation = await this.booting.catch(() => undefined);
    await foundation?.release();
  }

  private async stopChildren(): Promise<void> {
    const graceMs = this.settings.config.service.shutdownSeconds * 1000 + EXTRA_GRACE_MS;
    await Promise.all(this.children.map((child) => child.stop(graceMs)));
  }
}

/** Where to go on. The key itself is in its file only: what is printed here ends up in logs. */
function startText(settings: Settings): string {
  const address = publicUrl(settings);
  const keyFile = developmentKeyFile(settings.config);
  const lines = [
    `zephyr ${packageVersion()} is ready (Ctrl-C ends it)`,
    `  API        ${address}/api/v1`,
    `  Reference  ${address}/docs`,
    ...(keyFile !== undefined && existsSync(keyFile) ? [`  API key    in ${keyFile}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
