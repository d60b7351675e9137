import type { DataSource } from 'typeorm';
import type { StageQueues } from '../queue/stage-queues.js';
import type { QueueName } from '../queue/queues.js';
import {
  addSubstituteMessages,
  countStagesAndUnsentMessages,
  findQueuesWithOverdueStages,
  type MaxRunningPerAccount,
} from './lost-messages.repository.js';

/** While this many messages wait, a lost one delays no stage: each message runs any stage that is due. */
const SUFFICIENT_MESSAGES = 200;
const BATCH = 200;

/**
 * Replaces messages that the queue has lost: as many as there are stages without a message that could be claimed. Each message is counted
 * once it is claimed, so a deficit must be seen twice.
 */
export class LostMessageReplacer {
  private readonly deficits = new Map<QueueName, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: Pick<StageQueues, 'counts'>,
    /** Before the message of an unclaimed stage counts as lost. */
    private readonly overdueSeconds: number,
    private readonly maxRunningPerAccount: MaxRunningPerAccount,
  ) {}

  /** @returns the number of messages that were replaced. @throws QueueUnavailableError */
  async replace(): Promise<number> {
    const overdue = await findQueuesWithOverdueStages(
      this.dataSource,
      this.overdueSeconds,
      this.maxRunningPerAccount,
    );
    for (const name of this.deficits.keys()) if (!overdue.includes(name)) this.deficits.delete(name);
    let replaced = 0;
    for (const name of overdue) {
      const deficit = await this.computeDeficit(name);
      const lost = Math.min(deficit, this.deficits.get(name) ?? 0);
      this.deficits.set(name, deficit - lost);
      if (lost > 0) replaced += await addSubstituteMessages(this.dataSource, name, lost);
    }
    return replaced;
  }

  private async computeDeficit(name: QueueName): Promise<number> {
    const { waiting, active } = await this.queue.counts(name);
    if (waiting >= SUFFICIENT_MESSAGES) return 0;
    const { due, running, unsent } = await countStagesAndUnsentMessages(
      this.dataSource,
      name,
      waiting + BATCH,
      this.maxRunningPerAccount,
    );
    const unclaimed = Math.max(0, active - running);
    return Math.max(0, due - waiting - unsent - unclaimed);
  }
}
