import {
  isLimitName,
  type LimitName,
  MAX_REQUESTS_PER_MINUTE,
  setRateLimitOverride,
  ROUTE_LIMITS,
} from '@app/auth';

import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

interface LimitOptions extends JsonOption {
  route: LimitName;
  perMinute?: number;
  reset?: boolean;
}

@SubCommand({ name: 'limit', arguments: '<key_id>', description: 'set the rate limit of a key for a route' })
export class LimitKeyCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([keyId = '']: string[], options: LimitOptions): Promise<void> {
    const { route, perMinute, reset = false } = options;
    if (reset === (perMinute !== undefined)) throw new CommandError('Give either --per-minute or --reset.');
    const { dataSource } = await this.context.open();
    const limits = await setRateLimitOverride(dataSource, keyId, route, perMinute ?? null);
    if (limits === null) throw new CommandError(`There is no valid key ${keyId}.`);
    const now = limits[route] ?? ROUTE_LIMITS[route];
    printResult(
      options,
      { key_id: keyId, limits },
      () => `Key ${keyId} may call ${route} ${now} times a minute.`,
    );
  }

  @Option({ flags: '--route <name>', required: true, description: Object.keys(ROUTE_LIMITS).join(', ') })
  parseRoute(name: string): LimitName {
    if (isLimitName(name)) return name;
    throw new CommandError(`There is no route ${name}; one of ${Object.keys(ROUTE_LIMITS).join(', ')}.`);
  }

  @Option({ flags: '--per-minute <number>', description: 'requests per minute' })
  parsePerMinute(text: string): number {
    const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    if (limit >= 1 && limit <= MAX_REQUESTS_PER_MINUTE) return limit;
    throw new CommandError(`--per-minute must be a number from 1 to ${MAX_REQUESTS_PER_MINUTE}.`);
  }

  @Option({ flags: '--reset', description: 'remove the limit of the key: the default limit applies again' })
  parseReset(): boolean {
    return true;
  }
}
