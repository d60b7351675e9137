import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type AutoRecharge,
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
function findInitialLimit({ packages, currency }: CreditPackagesAndSavedCard, recharge: AutoRecharge | null) {
  const { monthly_limit: limit, limit_currency: limitCurrency, credits } = recharge ?? {};
  if (limit == null || limitCurrency == null || limitCurrency === currency)
    return { limit: limit ?? null, earlier: null };
  const recharged = packages.find((each) => each.credits === credits) ?? packages[0];
  return { limit: recharged?.amount ?? null, earlier: formatAmount(limit, limitCurrency) };
}

function RechargeForm({ accountId, cards, recharge }: RechargeSectionProps) {
  const { currency, packages } = cards;
  const queryClient = useQueryClient();
  const [credits, setCredits] = useState(String(recharge?.credits ?? packages[0]?.credits ?? ''));
  // Null until it is entered or saved: the highest threshold, so that few recordings cost more than the balance.
  const [enteredBelow, setEnteredBelow] = useState(recharge ? String(recharge.below) : null);
  const below = enteredBelow ?? credits;
  const initialLimit = findInitialLimit(cards, recharge);
  const [limit, setLimit] = useState(formatLimit(initialLimit.limit, currency));
  const [isChecked, setChecked] = useState(false);
  const monthlyLimit = limit.trim() === '' ? null : parseAmount(limit, currency);
  const belowError = /^[1-9]\d{0,11}$/.test(below.trim()) ? undefined : texts.billing.invalidNumber;
  const limitError = limit.trim() !== '' && monthlyLimit === null ? texts.billing.invalidAmount : undefined;
  const refresh = () => refreshBillingAndBalance(queryClient, accountId);
  const save = useMutation({
    mutationFn: () =>
      requestJson<void>('PUT', 'billing/auto-recharge', {
        below: Number(below),
        credits: Number(credits),
        monthly_limit: monthlyLimit,
      }),
    onSuccess: refresh,
  });
  const end = useMutation({
    mutationFn: () => requestJson<void>('DELETE', 'billing/auto-recharge'),
    onSuccess: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!save.isPending && belowError === undefined && limitError === undefined) save.mutate();
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
        onChange={(event) => setCredits(event.target.value)}
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
        onChange={(event) => setEnteredBelow(event.target.value)}
      />
      <TextField
        label={texts.billing.monthlyLimit}
        help={[
          texts.billing.monthlyLimitHelp(currency.toUpperCase()),
          ...(initialLimit.earlier === null ? [] : [texts.billing.earlierLimit(initialLimit.earlier)]),
        ].join(' ')}
        error={
          (isChecked ? limitError : undefined) ?? findFieldMessageOfApiError(save.error, 'monthly_limit')
        }
        inputMode="decimal"
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
      />
      <ActionErrorNotice
        error={save.error ?? end.error}
        shownFields={['credits', 'below', 'monthly_limit']}
      />
      {save.isSuccess && recharge && <Notice kind="success">{texts.billing.saved}</Notice>}
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
