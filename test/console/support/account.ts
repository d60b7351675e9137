import { randomUUID } from 'node:crypto';
import type { ConsoleClient } from '../../e2e/support/console-client.js';
import { ConsoleUsers } from '../../e2e/support/console-users.js';
import type { RunningService } from '../../e2e/support/running-service.js';

export interface ConsoleUser {
  email: string;
  /** A session of the user, made over HTTP. */
  client: ConsoleClient;
}

/** An account that is written as rows: an operator command costs a second of CPU time, and has its own tests. */
export class ConsoleAccount {
  private constructor(
    private readonly service: RunningService,
    readonly id: string,
    private readonly origin: string,
  ) {}

  /** @param origin of the console's pages, if `PUBLIC_URL` is set */
  static async open(service: RunningService, credits = 0, origin = service.baseUrl): Promise<ConsoleAccount> {
    const id = randomUUID();
    await service.query(`INSERT INTO account (id, name, balance) VALUES ($1, 'an organisation', $2)`, [
      id,
      credits,
    ]);
    if (credits > 0)
      await service.query(
        `INSERT INTO credit_entry (account_id, kind, amount, note) VALUES ($1, 'grant', $2, 'opening balance')`,
        [id, credits],
      );
    return new ConsoleAccount(service, id, origin);
  }

  /** An account that was opened otherwise. */
  static of(service: RunningService, id: string): ConsoleAccount {
    return new ConsoleAccount(service, id, service.baseUrl);
  }

  /** A user whose password is `PASSWORD`. */
  async addUser(role = 'owner', email = `${role}-${randomUUID()}@example.org`): Promise<ConsoleUser> {
    const users = new ConsoleUsers(this.service, this.id, this.origin);
    return { email, client: await users.createWithPassword(email, role) };
  }

  /** Gives a user of another account a role in this one as well. */
  async addMember({ email }: Pick<ConsoleUser, 'email'>, role: string): Promise<void> {
    await this.service.query(
      `INSERT INTO membership (user_id, account_id, role) SELECT id, $2, $3 FROM app_user WHERE email = $1`,
      [email, this.id, role],
    );
  }
}
