import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailableError } from '@app/database';
import { QueueUnavailableError } from '@app/jobs';
import { StoreUnavailableError } from '@app/storage';
import { DependencyHealthRegistry } from '../health/dependency-health-registry.js';

const POLL_INTERVAL_MS = 1_000;
/** Between log lines about one outage. */
const LOG_INTERVAL_MS = 30_000;

interface Outage {
  since: number;
  loggedAt: number;
  failedRequests: number;
}

/**
 * Logs the first failed request with its cause, then the number of failed requests, then the recovery. A
 * stack trace for each request would flood the log.
 */
@Injectable()
export class DependencyOutageLog implements OnModuleDestroy {
  private readonly logger = new Logger('Dependencies');
  private readonly outages = new Map<string, Outage>();
  /** Lines about an outage must not have the fields of one request. */
  private readonly outsideRequestContext = AsyncLocalStorage.snapshot();
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DependencyHealthRegistry)
    private readonly health: Pick<DependencyHealthRegistry, 'readStates'>,
  ) {}

  reportFailedRequest(error: unknown): void {
    const dependency = identifyDependency(error);
    const outage = this.outages.get(dependency);
    if (outage) {
      outage.failedRequests += 1;
      return;
    }
    const now = performance.now();
    this.outages.set(dependency, { since: now, loggedAt: now, failedRequests: 1 });
    this.logger.warn({ dependency, error }, 'dependency unavailable');
    this.pollTimer ??= this.outsideRequestContext(
      setInterval,
      () => void this.poll(),
      POLL_INTERVAL_MS,
    ).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.pollTimer);
  }

  private async poll(): Promise<void> {
    const states: Record<string, string> = await this.health.readStates();
    const now = performance.now();
    for (const [dependency, outage] of this.outages) {
      const fields = {
        dependency,
        refused: outage.failedRequests,
        seconds: Math.round((now - outage.since) / 100) / 10,
      };
      if (states[dependency] !== 'down') {
        this.outages.delete(dependency);
        this.logger.warn(fields, 'dependency available again');
      } else if (now - outage.loggedAt >= LOG_INTERVAL_MS) {
        outage.loggedAt = now;
        this.logger.warn(fields, 'dependency still unavailable');
      }
    }
    if (this.outages.size > 0) return;
    clearInterval(this.pollTimer);
    this.pollTimer = undefined;
  }
}

function identifyDependency(error: unknown): string {
  if (error instanceof StoreUnavailableError) return 'storage';
  if (error instanceof QueueUnavailableError) return 'queue';
  return isDatabaseUnavailableError(error) ? 'database' : 'other';
}
