import { readSchemaState } from '@app/database';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DependencyHealth } from './dependency-health.js';

const LOOK_EVERY_MS = 10_000;

type SchemaState = 'own' | 'older' | 'newer';

/** What readiness says, and the log. */
const STATE_MESSAGES: Record<Exclude<SchemaState, 'own'>, { message: string; advice: string }> = {
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
 * Whether the schema is still the one that this program was started on. It may change under it: by an upgrade that replaces
 * one program after the other, or as a backup of another version is restored. The program goes on, as most requests may
 * be served all the same, and says so.
 */
@Injectable()
export class SchemaVersionWatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Schema');
  private lastState: SchemaState = 'own';
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(DependencyHealth) private readonly health: Pick<DependencyHealth, 'note'>,
  ) {}

  onApplicationBootstrap(): void {
    // A database that does not answer is what other checks tell of.
    this.pollTimer = setInterval(() => void this.poll().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.pollTimer);
  }

  /** Says a change once. */
  async poll(): Promise<void> {
    const { pending, unknown } = await readSchemaState(this.dataSource);
    const state = pending.length > 0 ? 'older' : unknown.length > 0 ? 'newer' : 'own';
    if (state === this.lastState) return;
    this.lastState = state;
    if (state === 'own') {
      this.health.note('schema', null);
      return this.logger.warn('schema is that of this program again');
    }
    const { message, advice } = STATE_MESSAGES[state];
    this.health.note('schema', message);
    this.logger[state === 'older' ? 'error' : 'warn'](
      { missing: pending, unknown, advice },
      `schema ${message}`,
    );
  }
}
