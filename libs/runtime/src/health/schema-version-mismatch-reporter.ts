import { readPendingAndUnknownMigrations } from '@app/database';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DependencyHealthRegistry } from './dependency-health-registry.js';

const POLL_INTERVAL_MS = 10_000;

type SchemaComparison = 'own' | 'older' | 'newer';

/** Shown by readiness and in the log. */
const STATE_MESSAGES: Record<Exclude<SchemaComparison, 'own'>, { message: string; advice: string }> = {
  older: {
    message: 'is older than this program',
    advice: 'Requests may fail. Restart every program: the first one runs the missing migrations.',
  },
  newer: {
    message: 'is newer than this program',
    advice:
      'This program goes on, but would not start again: replace it by the version that migrated the database.',
  },
};

/**
 * An upgrade or a restore can change the schema while this program runs. It continues, because most requests
 * may still succeed, and reports the change.
 */
@Injectable()
export class SchemaVersionMismatchReporter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Schema');
  private lastState: SchemaComparison = 'own';
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(DependencyHealthRegistry)
    private readonly health: Pick<DependencyHealthRegistry, 'setDegradedMessage'>,
  ) {}

  onApplicationBootstrap(): void {
    // Other checks report an unavailable database.
    this.pollTimer = setInterval(() => void this.poll().catch(() => undefined), POLL_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.pollTimer);
  }

  /** Reports each change once. */
  async poll(): Promise<void> {
    const { pending, unknown } = await readPendingAndUnknownMigrations(this.dataSource);
    const state = pending.length > 0 ? 'older' : unknown.length > 0 ? 'newer' : 'own';
    if (state === this.lastState) return;
    this.lastState = state;
    if (state === 'own') {
      this.health.setDegradedMessage('schema', null);
      return this.logger.warn('schema matches this program again');
    }
    const { message, advice } = STATE_MESSAGES[state];
    this.health.setDegradedMessage('schema', message);
    this.logger[state === 'older' ? 'error' : 'warn'](
      { missing: pending, unknown, advice },
      `schema ${message}`,
    );
  }
}
