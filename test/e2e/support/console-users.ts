import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ConsoleClient } from './console-client.js';
import type { RunningService } from './running-service.js';

export const PASSWORD = 'violet harbour 29';

/** Users of the console of one account. */
export class ConsoleUsers {
  constructor(
    readonly service: RunningService,
    readonly accountId: string,
    readonly origin = service.baseUrl,
  ) {}

  /** By an operator command. @returns a link that signs the user in once */
  async create(email: string, role = 'owner'): Promise<string> {
    const options = ['--account', this.accountId, '--role', role];
    const { link } = await this.service.adminJson<{ link: string }>(
      'users',
      'create',
      email,
      ...options,
      '--json',
    );
    return link;
  }

  /**
   * Writes the rows of the user and of a link as the command does, because an operator command costs a second of CPU time.
   *
   * @returns a link that signs the user in once
   */
  async createByRows(email: string, role = 'owner'): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.service.query(
      `WITH person AS (INSERT INTO app_user (id, email, name, address_proved) VALUES ($1, lower($2), $2, true) RETURNING id),
         member AS (INSERT INTO membership (user_id, account_id, role) SELECT id, $3, $4 FROM person)
       INSERT INTO sign_in_link (token_hash, user_id, purpose, expires_at)
       SELECT $5, id, 'sign_in', now() + interval '1 hour' FROM person`,
      [randomUUID(), email, this.accountId, role, createHash('sha256').update(token).digest()],
    );
    return `${this.origin}/console/sign-in#${token}`;
  }

  /** @returns a browser in which the user is signed in; the password is `PASSWORD` */
  async createWithPassword(email: string, role = 'owner'): Promise<ConsoleClient> {
    const browser = new ConsoleClient(this.service, this.origin);
    await browser.signInByLink(await this.createByRows(email, role));
    const { status } = await browser.request('PUT', 'profile/password', { password: PASSWORD });
    if (status !== 204) throw new Error(`Setting the password failed with ${status}.`);
    return browser;
  }
}
