import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { touchKeys } from './api-key.repository.js';

const FLUSH_DELAY_MS = 1_000;
const REPEAT_MS = 60_000;

/**
 * Records when keys were last used: with one statement for all keys of a second, after the requests, and at most once a
 * minute per key. A crash loses the last second.
 */
@Injectable()
export class KeyLastUsedRecorder implements OnModuleDestroy {
  private readonly logger = new Logger(KeyLastUsedRecorder.name);
  private readonly unsaved = new Set<string>();
  /** Key id -> time of the last write by this process. */
  private readonly savedAt = new Map<string, number>();
  /** The write must not run in the async context of a request. */
  private readonly outsideRequestContext = AsyncLocalStorage.snapshot();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly dataSource: DataSource) {}

  record(keyId: string): void {
    const saved = this.savedAt.get(keyId);
    if (saved !== undefined && performance.now() - saved < REPEAT_MS) return;
    this.unsaved.add(keyId);
    this.timer ??= this.outsideRequestContext(setTimeout, () => void this.flush(), FLUSH_DELAY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unsaved.size === 0) return;
    const keyIds = [...this.unsaved];
    this.unsaved.clear();
    const now = performance.now();
    for (const [keyId, at] of this.savedAt) if (now - at >= REPEAT_MS) this.savedAt.delete(keyId);
    for (const keyId of keyIds) this.savedAt.set(keyId, now);
    try {
      await touchKeys(this.dataSource, keyIds);
    } catch (error) {
      // The keys count as saved: they are written again with their next use after a minute.
      this.logger.debug(error instanceof Error ? error.message : 'the last use of keys was not written');
    }
  }
}
