import { describe, expect, it } from 'vitest';
import { CreateAccountCommand } from './accounts/accounts.command.js';
import type { LazyAdminServices } from './lazy-admin-services.js';
import { CreateKeyCommand } from './keys/keys.command.js';
import { CommandError } from './output.js';
import { CreateUserCommand } from './users/users.command.js';

/** A name must be refused before anything is opened. */
const unopened = {} as LazyAdminServices;

const createWithName = {
  'accounts create': (name: string) => new CreateAccountCommand(unopened).run([name], {}),
  'keys create': (name: string) => new CreateKeyCommand(unopened).run([], { name }),
  'users create': (name: string) => new CreateUserCommand(unopened).run(['bob@example.com'], { name }),
};

describe.each(Object.entries(createWithName))('%s', (_, create) => {
  it.each(['evil\u001b[31mname\nline2', 'Bob\u001b[2J', 'Pay \u202eecila', 'half \ud800'])(
    'refuses the name %j as the console does, in one line',
    async (name) => {
      const refused = create(name);
      await expect(refused).rejects.toBeInstanceOf(CommandError);
      await expect(refused).rejects.toThrow(/^[^\n]+ must have no control characters\.$/);
    },
  );

  it.each(['', '  ', 'n'.repeat(201)])('refuses the name %j for its length', async (name) => {
    await expect(create(name)).rejects.toThrow(/^[^\n]+ must have 1 to (80|200) characters\.$/);
  });
});
