import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type AutoRecharge,
  billingQueryOptions,
  type CreditPackagesAndSavedCard,
  refreshBillingAndBalance,
} from '../../api/billing.ts';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { getCurrencyDecimals, formatAmount, parseAmount } from '../../lib/amount.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';

interface RechargeSectionProps {
  accountId: string;
  cards: CreditPackagesAndSavedCard;
  recharge: AutoRecharge | null;
}

export function AutoRechargeSection({ accountId, cards, recharge }: RechargeSectionProps) {
  const container = useFocusAfterRemoval<HTMLDivElement>(Number(recharge !== null));
  const paused = recharge?.paused_because;
  return (
    <Section title={texts.billing.recharge}>
      <p className="text-muted">{texts.billing.rechargeText}</p>
      {paused != null && <Notice kind="error">{texts.billing.paused[paused] ?? paused}</Notice>}
      {recharge && <p>{describeSpent(cards, recharge)}</p>}
      <div ref={container} tabIndex={-1}>
        {recharge || cards.saved_card ? (
          <RechargeForm accountId={accountId} cards={cards} recharge={recharge} />
        ) : (
          <p>{texts.billing.rechargeNeedsCard}</p>
        )}
      </div>
    </Section>
  );
}

function describeSpent(
  { currency, recharged_this_month }: CreditPackagesAndSavedCard,
  { monthly_limit, limit_currency }: AutoRecharge,
): string {
  const spent = formatAmount(recharged_this_month, currency);
  return monthly_limit === null || (limit_currency ?? currency) !== currency
    ? texts.billing.monthlySpent(spent)
    : texts.billing.monthlySpentOf(spent, formatAmount(monthly_limit, currency));
}

/** One of another currency is replaced by the lowest that is possible, so that saving allows as little as possible. */
function findSavedLimit({ packages, currency }: CreditPackagesAndSavedCard, recharge: AutoRecharge | null) {
  const { monthly_limit: limit, limit_currency: limitCurrency, credits } = recharge ?? {};
  if (limit == null || limitCurrency == null || limitCurrency === currency)
    return { limit: limit ?? null, earlier: null };
  const recharged = packages.find((each) => each.credits === credits) ?? packages[0];
  return { limit: recharged?.amount ?? null, earlier: formatAmount(limit, limitCurrency) };
}

/** As the fields have it. */
interface EnteredRecharge {
  credits?: string;
  below?: string;
  limit?: string;
}

function RechargeForm({ accountId, cards, recharge }: RechargeSectionProps) {
  const { currency, packages } = cards;
  const queryClient = useQueryClient();
  // Auto-recharge can be turned on again as it was.
  const [known, setKnown] = useState(recharge);
  if (recharge && recharge !== known) setKnown(recharge);
  // What is not entered follows what others save, so that this form does not take that back.
  const [entered, setEntered] = useState<EnteredRecharge>({});
  const enter = (change: EnteredRecharge) => setEntered({ ...entered, ...change });
  const credits = entered.credits ?? String(known?.credits ?? packages[0]?.credits ?? '');
  // The highest threshold by default, so that few recordings cost more than the balance.
  const below = entered.below ?? String(known?.below ?? credits);
  const savedLimit = findSavedLimit(cards, known);
  const limit = entered.limit ?? formatLimit(savedLimit.limit, currency);
  const [isChecked, setChecked] = useState(false);
  const monthlyLimit = limit.trim() === '' ? null : parseAmount(limit, currency);
  const shown = { below: Number(below), credits: Number(credits), monthly_limit: monthlyLimit };
  const belowError = /^[1-9]\d{0,11}$/.test(below.trim()) ? undefined : texts.billing.invalidNumber;
  const limitError = limit.trim() !== '' && monthlyLimit === null ? texts.billing.invalidAmount : undefined;
  const refresh = () => refreshBillingAndBalance(queryClient, accountId);
  const save = useMutation({
    mutationFn: (settings: typeof shown) => requestJson<void>('PUT', 'billing/auto-recharge', settings),
    onSuccess: refresh,
  });
  const isSaved =
    save.isSuccess &&
    save.variables.below === shown.below &&
    save.variables.credits === shown.credits &&
    save.variables.monthly_limit === shown.monthly_limit;
  const end = useMutation({
    mutationFn: () => requestJson<void>('DELETE', 'billing/auto-recharge'),
    onSuccess: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!save.isPending && belowError === undefined && limitError === undefined)
      save.mutate(shown, { onSuccess: forgetEntered });
  };
  const forgetEntered = () => {
    const { isInvalidated } = queryClient.getQueryState(billingQueryOptions(accountId).queryKey) ?? {};
    // Unless what was saved could not be read again, or something else was entered meanwhile.
    if (isInvalidated === false) setEntered((now) => (now === entered ? {} : now));
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
      <p role="status" className="empty:absolute">
        {!recharge && texts.billing.rechargeOff}
      </p>
      <SelectField
        label={texts.billing.rechargeCredits}
        error={findFieldMessageOfApiError(save.error, 'credits')}
        value={credits}
        onChange={(event) => enter({ credits: event.target.value })}
      >
        {listChoices(cards, recharge).map((choice) => (
          <option key={choice.credits} value={choice.credits}>
            {choice.title}
          </option>
        ))}
      </SelectField>
      <TextField
        label={texts.billing.rechargeBelow}
        help={texts.billing.rechargeBelowHelp}
        error={(isChecked ? belowError : undefined) ?? findFieldMessageOfApiError(save.error, 'below')}
        inputMode="numeric"
        value={below}
        onChange={(event) => enter({ below: event.target.value })}
      />
      <TextField
        label={texts.billing.monthlyLimit}
        help={[
          texts.billing.monthlyLimitHelp(currency.toUpperCase()),
          ...(savedLimit.earlier === null ? [] : [texts.billing.earlierLimit(savedLimit.earlier)]),
        ].join(' ')}
        error={
          (isChecked ? limitError : undefined) ?? findFieldMessageOfApiError(save.error, 'monthly_limit')
        }
        inputMode="decimal"
        value={limit}
        onChange={(event) => enter({ limit: event.target.value })}
      />
      <ActionErrorNotice
        error={save.error ?? end.error}
        shownFields={['credits', 'below', 'monthly_limit']}
      />
      {isSaved && recharge && <Notice kind="success">{texts.billing.saved}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          {recharge ? texts.save : texts.billing.turnOn}
        </Button>
        {recharge && (
          <Button busy={end.isPending} onClick={() => end.mutate()}>
            {texts.billing.turnOff}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The present amount stays a choice if it is no package any more. */
function listChoices({ packages, currency }: CreditPackagesAndSavedCard, recharge: AutoRecharge | null) {
  const choices = packages.map(({ credits, amount }) => ({
    credits,
    title: texts.billing.packageName(credits, formatAmount(amount, currency)),
  }));
  if (recharge && !choices.some(({ credits }) => credits === recharge.credits))
    choices.unshift({
      credits: recharge.credits,
      title: texts.billing.credits(recharge.credits),
    });
  return choices;
}

/** As the field takes it, without the name of the currency. */
function formatLimit(limit: number | null, currency: string): string {
  if (limit === null) return '';
  const decimals = getCurrencyDecimals(currency);
  return (limit / 10 ** decimals).toFixed(decimals);
}
