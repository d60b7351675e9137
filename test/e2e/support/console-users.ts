import { ConsoleClient } from './console-client.js';
import type { Service } from './service.js';

export const PASSWORD = 'violet harbour 29';

/** Users of the console of one account, created by operator commands. */
export class ConsoleUsers {
  constructor(
    readonly service: Service,
    readonly accountId: string,
    readonly origin = service.baseUrl,
  ) {}

  /** @returns a link that signs the user in once */
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

  /** @returns a browser in which the user is signed in; the password is `PASSWORD` */
  async createWithPassword(email: string, role = 'owner'): Promise<ConsoleClient> {
    const browser = new ConsoleClient(this.service, this.origin);
    await browser.signInByLink(await this.create(email, role));
    const { status } = await browser.request('PUT', 'profile/password', { password: PASSWORD });
    if (status !== 204) throw new Error(`The password was answered with ${status}.`);
    return browser;
  }
}
