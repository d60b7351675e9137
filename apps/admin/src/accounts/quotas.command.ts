import { parseByteSize } from '@app/config';
import { inTransaction } from '@app/database';
import {
  addToleranceToDeclaredUploadBytes,
  replaceQuotaOverrides,
  readOpenJobsUsageWithQuotaOverrides,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaOverrides,
} from '@app/jobs';
import { SubCommand } from 'nest-commander';
import { recordOperatorAction } from '../operator-audit.js';
import { type CommandOption, OperatorCommand, WithOptions } from '../operator-command.js';
import { CommandError, type JsonOption, printTableOrJson } from '../output.js';
import { assertAccountExists } from '../resolve-account.js';

type QuotaOptions = JsonOption & QuotaOverrides & { reset?: boolean };

@SubCommand({
  name: 'quotas',
  arguments: '<account_id>',
  description: 'show the quotas of an account and their use, and set other quotas than those of the settings',
})
@WithOptions(
  {
    flags: '--pending-uploads <n>',
    description: 'jobs that wait for their upload',
    parse: parseCount,
  },
  createByteQuotaOption('--pending-bytes', 'bytes for which their upload URLs are signed'),
  createByteQuotaOption('--stored-bytes', 'bytes of stored audio that is not processed yet'),
  createByteQuotaOption('--vocabulary-bytes', 'bytes of custom_vocabulary of open jobs'),
  { flags: '--reset', description: 'those of the settings; others on this command are set again' },
)
export class AccountQuotasCommand extends OperatorCommand {
  async run([id = '']: string[], options: QuotaOptions): Promise<void> {
    const { dataSource, bootContext } = await this.context.open();
    await assertAccountExists(dataSource, id);
    const { quotas, limits } = bootContext.config;
    const given = pickQuotas(options);
    if (options.reset === true || Object.keys(given).length > 0)
      await inTransaction(dataSource, async (tx) => {
        const before = (await readOpenJobsUsageWithQuotaOverrides(tx, id, limits))?.overrides ?? {};
        const overrides = options.reset === true ? given : { ...before, ...given };
        const from = await replaceQuotaOverrides(tx, id, overrides);
        const details = { from, to: overrides };
        await recordOperatorAction(tx, {
          accountId: id,
          action: 'account.quotas_changed',
          target: id,
          details,
        });
      });
    const state = await readOpenJobsUsageWithQuotaOverrides(dataSource, id, limits);
    const rows = QUOTA_NAMES.map((name) => ({
      quota: toSnakeCase(name),
      in_use: state?.usage[name] ?? 0,
      limit: state?.overrides[name] ?? quotas[name],
      from: state?.overrides[name] === undefined ? 'settings' : 'account',
    }));
    for (const warning of listQuotaWarnings(given, limits.uploadBytes)) process.stderr.write(`${warning}\n`);
    printTableOrJson(options, rows, { QUOTA: 'quota', 'IN USE': 'in_use', LIMIT: 'limit', FROM: 'from' });
  }
}

/** About quotas into which no single upload fits. One of nothing is meant so. @param maxUploadBytes the largest single upload */
export function listQuotaWarnings(given: QuotaOverrides, maxUploadBytes: number): string[] {
  const smallest = addToleranceToDeclaredUploadBytes(1, maxUploadBytes);
  return (['pendingBytes', 'storedBytes'] as const).flatMap((name) => {
    const { [name]: bytes = 0 } = given;
    return bytes === 0 || bytes >= smallest
      ? []
      : [
          `Warning: no single upload fits into ${toSnakeCase(name)}: the URL of the smallest is signed for ${smallest} bytes.`,
        ];
  });
}

function createByteQuotaOption(name: string, description: string): CommandOption {
  return { flags: `${name} <size>`, description, parse: parseSize };
}

function parseCount(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`${option} takes a whole number.`);
  return Number(text);
}

function parseSize(text: string, option: string): number {
  const bytes = parseByteSize(text);
  if (bytes === undefined) throw new CommandError(`${option} takes a size such as 512, 16MiB or 5GiB.`);
  return bytes;
}

function pickQuotas(options: QuotaOptions): QuotaOverrides {
  return Object.fromEntries(
    QUOTA_NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

function toSnakeCase(name: QuotaName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
