import {
  issueOneTimeLinkToken,
  isRole,
  MAX_USER_NAME_LENGTH,
  recordUserAuditEvents,
  type MemberRole,
  ROLES,
  UnprovedAddressError,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { resolvePublicUrl } from '@app/runtime';
import { SubCommand } from 'nest-commander';
import type { AdminServices } from '../lazy-admin-services.js';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { getOperatorActor } from '../operator-audit.js';
import { parseName } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';
import { DisableUserCommand, EnableUserCommand } from './disable-users.command.js';
import { getUserByEmail } from './get-user-by-email.js';

const LINK_SECONDS = 24 * 3600;

const ROLE_OPTION = {
  flags: '--role <role>',
  description: `${ROLES.join(', ')} (default owner)`,
  parse: parseRole,
};

@SubCommand({ name: 'list', description: 'list users, their accounts and roles' })
export class ListUsersCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { users } = await this.context.open();
    const rows = (await users.list()).map((user) => ({
      user_id: user.id,
      email: user.email,
      name: user.name,
      address_proved: user.isAddressProved,
      accounts: user.accounts,
      memberships: user.accounts.map(({ name, role }) => `${name} (${role})`).join(', '),
      last_seen_at: user.lastSeenAt?.toISOString() ?? null,
      disabled_at: user.disabledAt?.toISOString() ?? null,
    }));
    printTableOrJson(options, rows, {
      EMAIL: 'email',
      NAME: 'name',
      ADDRESS: ({ address_proved }) => (address_proved ? 'proved' : 'not proved'),
      ACCOUNTS: 'memberships',
      'LAST SEEN': 'last_seen_at',
      DISABLED: 'disabled_at',
    });
  }
}

@SubCommand({
  name: 'create',
  arguments: '<email>',
  description: 'create a user of an account; prints a link that signs in once',
})
@WithOptions(ACCOUNT_OPTION, ROLE_OPTION, { flags: '--name <text>', description: 'name of the person' })
export class CreateUserCommand extends OperatorCommand {
  async run(
    [email = '']: string[],
    options: JsonOption & AccountCommandOptions & { role?: MemberRole; name?: string },
  ): Promise<void> {
    const name = options.name === undefined ? '' : parseName(options.name, '--name', MAX_USER_NAME_LENGTH);
    const services = await this.context.open();
    const { dataSource, users, memberships } = services;
    const accountId = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const role = options.role ?? 'owner';
    const actor = getOperatorActor();
    const [userId, token] = await withReadableErrors(() =>
      inTransaction(dataSource, async (tx) => {
        const id = await users.create(tx, actor, { email, name, isAddressProved: true });
        await memberships.add(tx, actor, { userId: id, accountId, role });
        return [id, await issueOneTimeLinkToken(tx, id, 'sign_in', LINK_SECONDS)];
      }),
    );
    printLink(services, options, { user_id: userId, email, role }, token);
  }
}

@SubCommand({
  name: 'link',
  arguments: '<email>',
  description: 'print a link that signs a user in once, within a day',
})
@WithOptions({ flags: '--set-password', description: 'the link sets a new password instead' })
export class CreateOneTimeLinkCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption & { setPassword?: boolean }): Promise<void> {
    const services = await this.context.open();
    const user = await getUserByEmail(services, email);
    const purpose = options.setPassword ? 'set_password' : 'sign_in';
    const token = await inTransaction(services.dataSource, async (tx) => {
      const event = { userId: user.id, action: 'user.link_created', details: { purpose } };
      await recordUserAuditEvents(tx, getOperatorActor(), event);
      return issueOneTimeLinkToken(tx, user.id, purpose, LINK_SECONDS);
    });
    const path = options.setPassword ? 'set-password' : 'sign-in';
    printLink(services, options, { user_id: user.id, email: user.email }, token, path);
  }
}

@SubCommand({
  name: 'role',
  arguments: '<email>',
  description: 'give a user a role in an account; adds the user if needed',
})
@WithOptions(ACCOUNT_OPTION, { ...ROLE_OPTION, required: true, description: ROLES.join(', ') })
export class SetUserRoleCommand extends OperatorCommand {
  async run(
    [email = '']: string[],
    options: JsonOption & AccountCommandOptions & { role: MemberRole },
  ): Promise<void> {
    const services = await this.context.open();
    const { dataSource, memberships } = services;
    const accountId = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const { id: userId } = await getUserByEmail(services, email);
    const { role } = options;
    const actor = getOperatorActor();
    await withReadableErrors(async () => {
      const isNew = await inTransaction(dataSource, (tx) =>
        memberships.add(tx, actor, { userId, accountId, role }),
      );
      if (!isNew) await memberships.changeRole(accountId, userId, role, actor);
    });
    const result = { user_id: userId, account_id: accountId, role };
    printResult(options, result, () => `${email} is ${role} of account ${accountId}.`);
  }
}

@SubCommand({ name: 'remove', arguments: '<email>', description: 'remove a user from an account' })
@WithOptions(ACCOUNT_OPTION)
export class RemoveUserFromAccountCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption & AccountCommandOptions): Promise<void> {
    const services = await this.context.open();
    const accountId = await resolveGivenOrOnlyAccountId(services.dataSource, options.account);
    const { id: userId } = await getUserByEmail(services, email);
    await withReadableErrors(() => services.memberships.remove(accountId, userId, getOperatorActor()));
    const result = { user_id: userId, account_id: accountId, removed: true };
    printResult(options, result, () => `${email} is no longer a member of account ${accountId}.`);
  }
}

@SubCommand({
  name: 'reset-factors',
  arguments: '<email>',
  description:
    'remove the authenticator app and all passkeys of a user who has lost them, and end all sessions',
})
export class ResetUserFactorsCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption): Promise<void> {
    const services = await this.context.open();
    const { id } = await getUserByEmail(services, email);
    const isChanged = await inTransaction(services.dataSource, (tx) =>
      services.users.removeFactors(tx, getOperatorActor(), id),
    );
    if (!isChanged) throw new CommandError(`${email} has no authenticator app and no passkey.`);
    const result = { user_id: id, factors_removed: true };
    printResult(options, result, () => `${email} has no second factor any more, and is signed out.`);
  }
}

@SubCommand({
  name: 'unlink',
  arguments: '<email>',
  description: 'let another person of the provider sign in as the user, and end all sessions',
})
export class UnlinkUserFromProviderCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption): Promise<void> {
    const services = await this.context.open();
    const { id } = await getUserByEmail(services, email);
    const isChanged = await inTransaction(services.dataSource, (tx) =>
      services.users.unlinkIdentities(tx, getOperatorActor(), id),
    );
    if (!isChanged) throw new CommandError(`${email} has never signed in through a provider.`);
    const result = { user_id: id, unlinked: true };
    printResult(options, result, () => `${email} is linked to nobody of the provider, and is signed out.`);
  }
}

export const USER_COMMANDS = createParentCommandProviders(
  { name: 'users', description: 'create, list and change the people who use the console' },
  [
    ListUsersCommand,
    CreateUserCommand,
    CreateOneTimeLinkCommand,
    SetUserRoleCommand,
    RemoveUserFromAccountCommand,
    DisableUserCommand,
    EnableUserCommand,
    ResetUserFactorsCommand,
    UnlinkUserFromProviderCommand,
  ],
);

/** The service's errors are written for people. */
async function withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Whoever signs in as the user now may have copied the link of an invitation of any account.
    if (error instanceof UnprovedAddressError)
      throw new CommandError(
        `Nobody has proved that ${error.email} is the mail address of its user, who may be somebody else. Send the person the link of "users link ${error.email}", which removes what others have set up; once it was opened, give the role.`,
      );
    throw error instanceof ServiceError ? new CommandError(error.message) : error;
  }
}

/** The token is behind `#`, which browsers send to no server and no log. */
function printLink(
  { bootContext }: AdminServices,
  options: JsonOption,
  result: Record<string, string>,
  token = '',
  path = 'sign-in',
): void {
  const link = `${resolvePublicUrl(bootContext)}/console/${path}#${token}`;
  printResult(options, { ...result, link }, () => link);
}

function parseRole(text: string): MemberRole {
  if (isRole(text)) return text;
  throw new CommandError(`There is no role ${text}; one of ${ROLES.join(', ')}.`);
}
