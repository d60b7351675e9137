import { readDatabaseTime } from '@app/database';
import {
  deleteOrphanObservations,
  deleteUnseenOrphans,
  findExistingJobIds,
  findOrphansOlderThan,
  observeOrphans,
  type Orphan,
  type OrphanScope,
  parseJobId,
} from '@app/jobs';
import type { DataSource } from 'typeorm';
import type { ErrorCollector } from './error-collector.js';
import type { OrphanMetrics } from './orphan-metrics.js';

/** Deleted at once without an operator's word: so many, or so large a share of what was listed. */
const MAX_DELETIONS = 20;
const MAX_DELETED_SHARE = 0.01;
/** Keys that a log line names. */
const MAX_LOGGED_KEYS = 10;

export interface OrphanPolicy {
  /** Days for which an orphan is observed before it is deleted; 0 leaves all of them to the operator. */
  retentionDays: number;
  /** Seconds for which a process has run before it deletes one. */
  minUptimeSeconds: number;
}

export interface OrphanLog {
  warn(fields: object, message: string): void;
}

export interface OrphanScan {
  scope: OrphanScope;
  /** When the pass began, on the database's clock. */
  begunAt: string;
  /** How much it listed in all. */
  listed: number;
  /** Which of these are still orphans. */
  filterStillOrphans: (orphans: readonly Orphan[]) => Promise<Orphan[]>;
  remove: (orphan: Orphan) => Promise<void>;
}

/** The most that may be deleted at once where so much was listed. */
export function maxDeletions(listed: number): number {
  return Math.max(MAX_DELETIONS, Math.floor(listed * MAX_DELETED_SHARE));
}

/**
 * Deletes what was observed for days to be needed by no row: a few at a time, and never in the first hour of a process.
 * More than a small share of a store means that rows are missing, and not that objects are too many. So do audio and
 * transcripts of jobs that the database does not know: the service stores neither without a row. These wait for an operator.
 */
export class OrphanDeletion {
  private heldByScope = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: OrphanPolicy,
    private readonly log: OrphanLog,
    private readonly metrics: Pick<OrphanMetrics, 'setObserved' | 'setHeld' | 'addDeleted'>,
  ) {}

  now(): Promise<string> {
    return readDatabaseTime(this.dataSource);
  }

  observe(orphans: readonly Orphan[]): Promise<void> {
    return observeOrphans(this.dataSource, orphans);
  }

  /** At the end of a pass that listed all of its scope. @returns how many were deleted */
  async completeScan(pass: OrphanScan, seen: number, attempts: ErrorCollector): Promise<number> {
    const { scope, begunAt, listed } = pass;
    const name = formatScope(scope);
    await deleteUnseenOrphans(this.dataSource, scope, begunAt);
    this.metrics.setObserved(name, seen);
    const due = await this.findDue(pass);
    const deletable = await this.filterDeletable(scope, due);
    const allowed = maxDeletions(listed);
    const isTooMuch = deletable.length > allowed;
    const held = isTooMuch ? due.length : due.length - deletable.length;
    this.reportHeld(name, held, listed);
    if (isTooMuch || deletable.length === 0) return 0;
    const deleted: Orphan[] = [];
    for (const orphan of deletable)
      await attempts.run(orphan.key, async () => {
        await pass.remove(orphan);
        deleted.push(orphan);
      });
    await deleteOrphanObservations(this.dataSource, deleted);
    this.metrics.addDeleted(name, deleted.length);
    const keys = deleted.slice(0, MAX_LOGGED_KEYS).map(({ key }) => key);
    if (deleted.length > 0)
      this.log.warn(
        { deleted: deleted.length, keys },
        `deleted orphans under ${name}: no row named them for days`,
      );
    return deleted.length;
  }

  private async findDue({ scope, filterStillOrphans: stillOrphans }: OrphanScan): Promise<Orphan[]> {
    const { retentionDays, minUptimeSeconds: delaySeconds } = this.policy;
    if (retentionDays === 0 || performance.now() < delaySeconds * 1_000) return [];
    return stillOrphans(await findOrphansOlderThan(this.dataSource, scope, retentionDays));
  }

  /** Chunks can be made again; audio was given and a transcript paid for, by an account that only its row would name. */
  private async filterDeletable({ prefix }: OrphanScope, due: Orphan[]): Promise<Orphan[]> {
    if (prefix === 'work/' || due.length === 0) return due;
    const ids = due.flatMap(({ key }) => parseJobId(key) ?? []);
    const known = await findExistingJobIds(this.dataSource, ids);
    return due.filter(({ key }) => known.has(parseJobId(key) ?? ''));
  }

  /** Says so once, and again when there are more or fewer of them. */
  private reportHeld(name: string, held: number, listed: number): void {
    this.metrics.setHeld(name, held);
    if (held > 0 && this.heldByScope.get(name) !== held)
      this.log.warn(
        { held, listed },
        `kept ${held} orphans of ${listed} under ${name}: rows may be missing. \`store orphans\` lists them, \`store orphans delete\` decides`,
      );
    this.heldByScope.set(name, held);
  }
}

function formatScope({ prefix, uploads }: OrphanScope): string {
  return uploads ? `uploads to ${prefix}` : prefix;
}
