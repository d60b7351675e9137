import { existingJobs, jobIdOf, type Orphan, OrphanObservations, type OrphanScope } from '@app/jobs';
import type { DataSource } from 'typeorm';
import type { Attempts } from './attempts.js';
import type { OrphanMetrics } from './orphan-metrics.js';

/** Deleted at once without an operator's word: so many, or so large a share of what was listed. */
const ALLOWED_NUMBER = 20;
const ALLOWED_SHARE = 0.01;
/** Keys that a log line names. */
const NAMED = 10;

export interface OrphanPolicy {
  /** Days for which an orphan is observed before it is deleted; 0 leaves all of them to the operator. */
  retentionDays: number;
  /** Seconds for which a process has run before it deletes one. */
  delaySeconds: number;
}

export interface OrphanLog {
  warn(fields: object, message: string): void;
}

export interface OrphanPass {
  scope: OrphanScope;
  /** When the pass began, on the database's clock. */
  begunAt: string;
  /** How much it listed in all. */
  listed: number;
  /** Which of these are still orphans. */
  stillOrphans: (orphans: readonly Orphan[]) => Promise<Orphan[]>;
  remove: (orphan: Orphan) => Promise<void>;
}

/** The most that may be deleted at once where so much was listed. */
export function allowedDeletions(listed: number): number {
  return Math.max(ALLOWED_NUMBER, Math.floor(listed * ALLOWED_SHARE));
}

/**
 * Deletes what was observed for days to be needed by no row: a few at a time, and never in the first hour of a process.
 * More than a small share of a store means that rows are missing, and not that objects are too many. So do audio and
 * transcripts of jobs that the database does not know: the service stores neither without a row. These wait for an operator.
 */
export class OrphanDeletion {
  private readonly observations: OrphanObservations;
  private held = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: OrphanPolicy,
    private readonly log: OrphanLog,
    private readonly metrics: Pick<OrphanMetrics, 'observed' | 'held' | 'deleted'>,
  ) {
    this.observations = new OrphanObservations(dataSource);
  }

  now(): Promise<string> {
    return this.observations.now();
  }

  observe(orphans: readonly Orphan[]): Promise<void> {
    return this.observations.observe(orphans);
  }

  /** At the end of a pass that listed all of its scope. @returns how many were deleted */
  async end(pass: OrphanPass, seen: number, attempts: Attempts): Promise<number> {
    const { scope, begunAt, listed } = pass;
    const name = scopeName(scope);
    await this.observations.forgetUnseen(scope, begunAt);
    this.metrics.observed(name, seen);
    const due = await this.due(pass);
    const deletable = await this.deletable(scope, due);
    const allowed = allowedDeletions(listed);
    const isTooMuch = deletable.length > allowed;
    const held = isTooMuch ? due.length : due.length - deletable.length;
    this.hold(name, held, listed);
    if (isTooMuch || deletable.length === 0) return 0;
    const deleted: Orphan[] = [];
    for (const orphan of deletable)
      await attempts.make(orphan.key, async () => {
        await pass.remove(orphan);
        deleted.push(orphan);
      });
    await this.observations.forget(deleted);
    this.metrics.deleted(name, deleted.length);
    const keys = deleted.slice(0, NAMED).map(({ key }) => key);
    if (deleted.length > 0)
      this.log.warn(
        { deleted: deleted.length, keys },
        `deleted orphans under ${name}: no row named them for days`,
      );
    return deleted.length;
  }

  private async due({ scope, stillOrphans }: OrphanPass): Promise<Orphan[]> {
    const { retentionDays, delaySeconds } = this.policy;
    if (retentionDays === 0 || performance.now() < delaySeconds * 1_000) return [];
    return stillOrphans(await this.observations.older(scope, retentionDays));
  }

  /** Chunks can be made again; audio was given and a transcript paid for, by an account that only its row would name. */
  private async deletable({ prefix }: OrphanScope, due: Orphan[]): Promise<Orphan[]> {
    if (prefix === 'work/' || due.length === 0) return due;
    const ids = due.flatMap(({ key }) => jobIdOf(key) ?? []);
    const known = await existingJobs(this.dataSource, ids);
    return due.filter(({ key }) => known.has(jobIdOf(key) ?? ''));
  }

  /** Says so once, and again when there are more or fewer of them. */
  private hold(name: string, held: number, listed: number): void {
    this.metrics.held(name, held);
    if (held > 0 && this.held.get(name) !== held)
      this.log.warn(
        { held, listed },
        `kept ${held} orphans of ${listed} under ${name}: rows may be missing. \`store orphans\` lists them, \`store orphans delete\` decides`,
      );
    this.held.set(name, held);
  }
}

function scopeName({ prefix, uploads }: OrphanScope): string {
  return uploads ? `uploads to ${prefix}` : prefix;
}
