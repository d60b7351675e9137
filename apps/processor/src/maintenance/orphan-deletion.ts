import {
  deleteOrphanObservations,
  deleteUnseenOrphanObservations,
  findExistingJobIds,
  listOrphansOlderThan,
  type Orphan,
  type OrphanScanScope,
  parseJobIdFromKey,
} from '@app/jobs';
import type { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { ErrorCollector } from './error-collector.js';
import type { OrphanMetrics } from './orphan-metrics.js';

/** The orphan limit: the number or the share of listed objects that is deleted without an operator. */
const MAX_DELETIONS = 20;
const MAX_DELETED_SHARE = 0.01;
const MAX_LOGGED_KEYS = 10;

export interface OrphanDeletionPolicy {
  /** Days for which an orphan is observed before it is deleted; 0 leaves deletion to the operator. */
  retentionDays: number;
  /** Uptime of the process before it deletes orphans, in seconds. */
  minUptimeSeconds: number;
}

export interface FinishedOrphanScan {
  scope: OrphanScanScope;
  /** Start of the scan on the clock of the database. */
  begunAt: string;
  /** Number of listed objects or uploads. */
  listed: number;
  /** Number of orphans among them. */
  orphans: number;
  filterStillOrphans: (orphans: readonly Orphan[]) => Promise<Orphan[]>;
  remove: (orphan: Orphan) => Promise<void>;
}

export function computeMaxOrphanDeletions(listed: number): number {
  return Math.max(MAX_DELETIONS, Math.floor(listed * MAX_DELETED_SHARE));
}

/**
 * Deletes a few orphans at a time, and none in the first hour of a process. More than a small share of the store
 * suggests that rows are missing; so do audio and transcripts of unknown jobs. These are held for an operator.
 */
export class OrphanDeletion {
  private heldByScope = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: OrphanDeletionPolicy,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly metrics: Pick<OrphanMetrics, 'setObserved' | 'setHeld' | 'addDeleted'>,
  ) {}

  /** Deletes due orphans after a scan. @returns the number of deleted orphans */
  async deleteDueOrphans(scan: FinishedOrphanScan, errors: ErrorCollector): Promise<number> {
    const { scope, begunAt, listed, orphans } = scan;
    const name = formatScope(scope);
    await deleteUnseenOrphanObservations(this.dataSource, scope, begunAt);
    this.metrics.setObserved(name, orphans);
    const due = await this.findDue(scan);
    const deletable = await this.filterDeletable(scope, due);
    const isTooMuch = deletable.length > computeMaxOrphanDeletions(listed);
    const held = isTooMuch ? due.length : due.length - deletable.length;
    this.reportHeld(name, held, listed);
    if (isTooMuch || deletable.length === 0) return 0;
    const deleted: Orphan[] = [];
    for (const orphan of deletable)
      await errors.run(orphan.key, async () => {
        await scan.remove(orphan);
        deleted.push(orphan);
      });
    await deleteOrphanObservations(this.dataSource, deleted);
    this.metrics.addDeleted(name, deleted.length);
    const keys = deleted.slice(0, MAX_LOGGED_KEYS).map(({ key }) => key);
    if (deleted.length > 0)
      this.logger.warn(
        { deleted: deleted.length, keys },
        `deleted orphans under ${name}: no row named them for days`,
      );
    return deleted.length;
  }

  private async findDue({ scope, filterStillOrphans }: FinishedOrphanScan): Promise<Orphan[]> {
    const { retentionDays, minUptimeSeconds } = this.policy;
    if (retentionDays === 0 || performance.now() < minUptimeSeconds * 1_000) return [];
    return filterStillOrphans(await listOrphansOlderThan(this.dataSource, scope, retentionDays));
  }

  /** Chunks can be created again. Audio and transcripts cannot, and only their row would name the account. */
  private async filterDeletable({ prefix }: OrphanScanScope, due: Orphan[]): Promise<Orphan[]> {
    if (prefix === 'work/' || due.length === 0) return due;
    const ids = due.flatMap(({ key }) => parseJobIdFromKey(key) ?? []);
    const known = await findExistingJobIds(this.dataSource, ids);
    return due.filter(({ key }) => known.has(parseJobIdFromKey(key) ?? ''));
  }

  /** Warns once, and again when the number changes. */
  private reportHeld(name: string, held: number, listed: number): void {
    this.metrics.setHeld(name, held);
    if (held > 0 && this.heldByScope.get(name) !== held)
      this.logger.warn(
        { held, listed },
        `kept ${held} orphans of ${listed} under ${name}: rows may be missing. \`store orphans\` lists them, \`store orphans delete\` decides`,
      );
    this.heldByScope.set(name, held);
  }
}

function formatScope({ prefix, uploads }: OrphanScanScope): string {
  return uploads ? `uploads to ${prefix}` : prefix;
}
