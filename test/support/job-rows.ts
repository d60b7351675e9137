import type { World } from './job-world.js';

/** Reads the rows of a job. */
export class JobRows {
  constructor(private readonly world: World) {}

  /** Its progress events in order, such as `1 of 5: preprocess`. */
  async progressEvents(id: string): Promise<string[]> {
    const events = await this.world.rows<{ data: { completed: number; total: number; step: string } }>(
      'SELECT data FROM job_event WHERE job_id = $1 ORDER BY seq',
      id,
    );
    return events.map(({ data: { completed, total, step } }) => `${completed} of ${total}: ${step}`);
  }

  /** Names of its stages that are in a state. */
  async stageNames(id: string, state: string): Promise<string[]> {
    const stages = await this.world.rows<{ name: string }>(
      'SELECT name FROM job_stage WHERE job_id = $1 AND state = $2 ORDER BY name',
      id,
      state,
    );
    return stages.map(({ name }) => name);
  }

  /** Keys of the audio of its chunks. */
  async chunkKeys(id: string): Promise<string[]> {
    const chunks = await this.world.rows<{ key: string }>(
      `SELECT input->>'key' AS key FROM job_stage WHERE job_id = $1 AND queue = 'chunk' ORDER BY chunk_index`,
      id,
    );
    return chunks.map(({ key }) => key);
  }

  finalState(id: string): Promise<unknown> {
    return this.world.row('SELECT status, failed_stage FROM job WHERE id = $1', id);
  }

  async ledgerEntries(id: string): Promise<string[]> {
    const entries = await this.world.rows<{ entry: string }>(
      `SELECT kind || ' ' || amount AS entry FROM credit_entry WHERE job_id = $1 ORDER BY id`,
      id,
    );
    return entries.map(({ entry }) => entry);
  }

  /** In the audit log of its account. */
  async auditActions(id: string): Promise<string[]> {
    const events = await this.world.rows<{ action: string }>(
      `SELECT action FROM audit_event JOIN job ON job.account_id = audit_event.account_id
       WHERE job.id = $1::uuid AND audit_event.target = $1::text ORDER BY audit_event.id`,
      id,
    );
    return events.map(({ action }) => action);
  }
}
