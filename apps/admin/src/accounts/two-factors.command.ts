import { changeTwoFactorRequirement } from '@app/auth';
import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import { getOperatorActor } from '../operator-audit.js';
import { OperatorCommand, WithOptions } from '../operator-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { assertAccountExists } from '../resolve-account.js';

@SubCommand({
  name: 'two-factors',
  arguments: '<account_id>',
  description: 'require two factors of the users of an account at sign-in, or no longer',
})
@WithOptions(
  { flags: '--require', description: 'users who signed in with one reach the account after the second' },
  { flags: '--optional', description: 'one factor is enough' },
)
export class AccountTwoFactorsCommand extends OperatorCommand {
  async run(
    [id = '']: string[],
    options: JsonOption & { require?: boolean; optional?: boolean },
  ): Promise<void> {
    const { require: required = false, optional = false } = options;
    if (required === optional) throw new CommandError('Give either --require or --optional.');
    const { dataSource } = await this.context.open();
    await assertAccountExists(dataSource, id);
    const actor = getOperatorActor();
    const isChanged = await inTransaction(dataSource, (tx) =>
      changeTwoFactorRequirement(tx, { accountId: id, required }, actor, null),
    );
    const verb = required ? 'requires' : 'does not require';
    if (!isChanged) throw new CommandError(`Account ${id} ${verb} two factors already.`);
    const result = { account_id: id, requires_two_factors: required };
    printResult(options, result, () => `Account ${id} ${verb} two factors from now on.`);
  }
}
