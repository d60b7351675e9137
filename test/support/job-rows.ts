import type { World } from './job-world.js';

/** Reads the rows of a job. */
export class JobRows {
  constructor(private readonly world: World) {}

  /** The names of its events, in order. */
  async told(id: string): Promise<string[]> {
    const events = await this.world.rows<{ data: { completed: number; total: number; step: string } }>(
      'SELECT data FROM job_event WHERE job_id = $1 ORDER BY seq',
      id,
    );
    return events.map(({ data: { completed, total, step } }) => `${completed} of ${total}: ${step}`);
  }

  /** Names of its stages in a state. */
  async stages(id: string, state: string): Promise<string[]> {
    const stages = await this.world.rows<{ name: string }>(
      'SELECT name FROM job_stage WHERE job_id = $1 AND state = $2 ORDER BY name',
      id,
      state,
    );
    return stages.map(({ name }) => name);
  }

  /** Its current status and result. */
  end(id: string): Promise<unknown> {
    return this.world.row('SELECT status, failed_stage FROM job WHERE id = $1', id);
  }

  /** Its entries in the ledger. */
  async entries(id: string): Promise<string[]> {
    const entries = await this.world.rows<{ entry: string }>(
      `SELECT kind || ' ' || amount AS entry FROM credit_entry WHERE job_id = $1 ORDER BY id`,
      id,
    );
    return entries.map(({ entry }) => entry);
  }
}
