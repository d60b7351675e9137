import {
  type CardPayments,
  findRechargeSettings,
  formatAmount,
  isLimitInOtherCurrency,
  parseAmount,
  setRechargeSettingsAndEndPause,
  type StoredRechargeSettings,
} from '@app/billing';
import { inTransaction, lockAccountRow } from '@app/database';
import { SubCommand } from 'nest-commander';
import { recordOperatorAction } from '../operator-audit.js';
import { OperatorCommand, WithOptions } from '../operator-command.js';
import { parseCredits } from '../option-values.js';
import { CommandError, printResult } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';
import { requireConfiguredCardPayments } from './card-payments.command.js';

interface RechargeOptions extends AccountCommandOptions {
  amount?: number;
  below?: number;
  monthlyLimit?: string;
  off?: boolean;
}

const NO_LIMIT = 'none';

@SubCommand({ name: 'recharge', description: 'request a payment when the balance is low; ends a pause' })
@WithOptions(
  {
    flags: '--amount <n>',
    description: 'whole credits per payment request (default: as before)',
    parse: parseCredits,
  },
  {
    flags: '--below <n>',
    description: 'request when the balance is below this (default: as before, at first 1)',
    parse: parseCredits,
  },
  {
    flags: '--monthly-limit <amount>',
    description: `with payments by card: the most to charge in a calendar month, such as 50, or ${NO_LIMIT} (default: as before, at first ${NO_LIMIT})`,
  },
  { flags: '--off', description: 'request nothing any more; open requests stay open' },
  ACCOUNT_OPTION,
)
export class SetRechargeCommand extends OperatorCommand {
  /** What is not given stays as it is: the customer may have set it, and a limit is what may be charged at most. */
  async run(_: string[], options: RechargeOptions): Promise<void> {
    const { amount, below, off = false } = options;
    if (off && [amount, below, options.monthlyLimit].some((given) => given !== undefined))
      throw new CommandError('Give --off without other settings.');
    const { dataSource, cardPayments } = await this.context.open();
    const currency = cardPayments?.prices.currency ?? null;
    const monthlyLimit = parseMonthlyLimit(options.monthlyLimit, cardPayments);
    const accountId = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    await inTransaction(dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      if (off) {
        await setRechargeSettingsAndEndPause(tx, accountId, null);
        await recordOperatorAction(tx, { accountId, action: 'payment.auto_recharge_ended' });
        return;
      }
      const before = await findRechargeSettings(tx, accountId);
      const credits = amount ?? before?.credits;
      if (credits === undefined) throw new CommandError('Recharging is off: give --amount.');
      const limit =
        monthlyLimit === undefined
          ? requireLimitInCurrency(before, currency)
          : { monthlyLimit, limitCurrency: currency };
      const settings = { credits, below: below ?? before?.below ?? 1, ...limit };
      await setRechargeSettingsAndEndPause(tx, accountId, settings);
      await recordOperatorAction(tx, {
        accountId,
        action: 'payment.auto_recharge_changed',
        details: { below: settings.below, credits, monthly_limit: settings.monthlyLimit },
      });
    });
    const recharge = toRechargeSettingsOutput(await findRechargeSettings(dataSource, accountId, currency));
    printResult(options, { account_id: accountId, recharge }, () =>
      recharge
        ? `Recharges ${recharge.credits} when the balance is below ${recharge.below}${describeLimit(recharge, cardPayments)}.`
        : 'Recharging is off.',
    );
  }
}

/** @returns null: no limit; undefined if none is given @throws CommandError */
function parseMonthlyLimit(
  text: string | undefined,
  cardPayments: CardPayments | null,
): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === NO_LIMIT) return null;
  const { currency } = requireConfiguredCardPayments(cardPayments).prices;
  const limit = parseAmount(text, currency);
  if (limit === null || limit === 0)
    throw new CommandError(
      `--monthly-limit takes an amount in ${currency.toUpperCase()}, such as 50, or ${NO_LIMIT}.`,
    );
  return limit;
}

/** @returns the stored limit @throws CommandError if it is in another currency, in which nobody has allowed anything */
function requireLimitInCurrency(
  stored: StoredRechargeSettings | null,
  currency: string | null,
): Pick<StoredRechargeSettings, 'monthlyLimit' | 'limitCurrency'> {
  const { monthlyLimit = null, limitCurrency = null } = stored ?? {};
  if (isLimitInOtherCurrency({ monthlyLimit, limitCurrency }, currency))
    throw new CommandError(
      `The monthly limit is ${formatAmount(monthlyLimit ?? 0, limitCurrency ?? '')}: give --monthly-limit in ${currency?.toUpperCase()}, or ${NO_LIMIT}.`,
    );
  return { monthlyLimit, limitCurrency: monthlyLimit === null ? null : (limitCurrency ?? currency) };
}

export interface RechargeSettingsOutput {
  below: number;
  credits: number;
  /** In the smallest unit of the currency. */
  monthly_limit?: number;
  /** Absent: that of payments. */
  limit_currency?: string;
  paused?: string;
}

export function toRechargeSettingsOutput(
  settings: StoredRechargeSettings | null,
): RechargeSettingsOutput | null {
  if (!settings) return null;
  const { below, credits, monthlyLimit, limitCurrency, pause } = settings;
  return {
    below,
    credits,
    ...(monthlyLimit !== null && { monthly_limit: monthlyLimit }),
    ...(monthlyLimit !== null && limitCurrency !== null && { limit_currency: limitCurrency }),
    ...(pause && { paused: pause.reason }),
  };
}

export function describeRecharge(
  recharge: RechargeSettingsOutput,
  cardPayments: CardPayments | null,
): string {
  const { below, credits, paused } = recharge;
  const pause = paused === undefined ? '' : `, paused: ${paused}`;
  return `${credits} when below ${below}${describeLimit(recharge, cardPayments)}${pause}`;
}

function describeLimit(
  { monthly_limit: limit, limit_currency: currency }: RechargeSettingsOutput,
  cardPayments: CardPayments | null,
): string {
  // Only charges of cards are limited.
  if (!cardPayments) return '';
  if (limit === undefined) return ', without a monthly limit';
  return `, at most ${formatAmount(limit, currency ?? cardPayments.prices.currency)} a month`;
}
