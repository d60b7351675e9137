import { RateLimitIncreaseRequests } from '@app/auth';
import { ServiceError } from '@app/errors';
import { SubCommand } from 'nest-commander';
import { getOperatorActor } from '../operator-audit.js';
import { createParentCommandProviders, WithOptions, OperatorCommand } from '../operator-command.js';
import { parsePrintableText, parseRequestsPerMinute } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
} from '../resolve-account.js';
import { isUUID } from 'class-validator';

interface AnswerOption extends JsonOption {
  answer?: string;
}

const ANSWER_OPTION = {
  flags: '--answer <text>',
  description: 'shown to the account',
  parse: parsePrintableText,
};

@SubCommand({ name: 'list', description: 'list requests for higher rate limits' })
@WithOptions(ACCOUNT_FILTER_OPTION, { flags: '--pending', description: 'only those without a decision' })
export class ListRateLimitIncreaseRequestsCommand extends OperatorCommand {
  async run(_: string[], options: AccountCommandOptions & { pending?: boolean }): Promise<void> {
    const { dataSource } = await this.context.open();
    const { account, pending = false } = options;
    if (account !== undefined) await assertAccountExists(dataSource, account);
    const filter = {
      ...(account !== undefined && { accountId: account }),
      ...(pending && { state: 'pending' as const }),
    };
    const rows = (await new RateLimitIncreaseRequests(dataSource).list(filter)).map((request) => ({
      id: request.id,
      account_id: request.accountId,
      key_id: request.keyId,
      limit: request.limitName,
      requests_per_minute: request.requestsPerMinute,
      state: request.state,
      requested_by: request.requestedBy?.email ?? null,
      reason: request.reason,
      answer: request.answer,
      created_at: request.createdAt.toISOString(),
      decided_at: request.decidedAt?.toISOString() ?? null,
    }));
    printTableOrJson(options, rows, {
      REQUEST: 'id',
      ACCOUNT: 'account_id',
      KEY: 'key_id',
      LIMIT: 'limit',
      'PER MINUTE': 'requests_per_minute',
      STATE: 'state',
      REASON: 'reason',
    });
  }
}

@SubCommand({
  name: 'grant',
  arguments: '<request_id>',
  description: 'set the limit of the key as requested',
})
@WithOptions(ANSWER_OPTION, {
  flags: '--per-minute <number>',
  description: 'another number of requests per minute',
  parse: parseRequestsPerMinute,
})
export class GrantRateLimitIncreaseCommand extends OperatorCommand {
  async run([id = '']: string[], options: AnswerOption & { perMinute?: number }): Promise<void> {
    const { dataSource } = await this.context.open();
    const { perMinute = null, answer = null } = options;
    const granted = await decide(id, () =>
      new RateLimitIncreaseRequests(dataSource).grant(id, { perMinute, answer }, getOperatorActor()),
    );
    const row = {
      id,
      key_id: granted.keyId,
      limit: granted.limitName,
      requests_per_minute: granted.perMinute,
    };
    printResult(
      options,
      row,
      () => `Key ${granted.keyId} may call ${granted.limitName} ${granted.perMinute} times a minute.`,
    );
  }
}

@SubCommand({ name: 'decline', arguments: '<request_id>', description: 'decline a request' })
@WithOptions(ANSWER_OPTION)
export class DeclineRateLimitIncreaseCommand extends OperatorCommand {
  async run([id = '']: string[], options: AnswerOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await decide(id, () =>
      new RateLimitIncreaseRequests(dataSource).decline(id, options.answer ?? null, getOperatorActor()),
    );
    printResult(options, { id, declined: true }, () => `Request ${id} is declined.`);
  }
}

export const RATE_LIMIT_INCREASE_COMMANDS = createParentCommandProviders(
  { name: 'limits', description: 'list, grant and decline requests for higher rate limits' },
  [ListRateLimitIncreaseRequestsCommand, GrantRateLimitIncreaseCommand, DeclineRateLimitIncreaseCommand],
);

async function decide<T>(id: string, work: () => Promise<T>): Promise<T> {
  if (!isUUID(id, 'loose')) throw new CommandError(`${id} is not the id of a request.`);
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? new CommandError(error.detail ?? error.message) : error;
  }
}
