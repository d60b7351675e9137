import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AutoRecharge } from '../../api/billing.ts';
import { formatAmount } from '../../lib/amount.ts';
import { AutoRechargeSection } from './recharge-section.tsx';

const cards = {
  currency: 'usd',
  packages: [
    { credits: 1_000, amount: 1_000 },
    { credits: 5_000, amount: 5_000 },
  ],
  saved_card: { brand: 'visa', last4: '4242', expires: null },
  recharged_this_month: 0,
};

function render(recharge: AutoRecharge | null): string {
  const section = createElement(AutoRechargeSection, { accountId: 'account', cards, recharge });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, section));
}

describe('the settings of auto-recharge', () => {
  it('offer the amount of a recharge as the threshold, not one at which recordings have failed before', () => {
    expect(render(null)).toMatch(/<input[^>]*inputMode="numeric"[^>]*value="1000"/i);
  });

  it('show the threshold that is saved', () => {
    const saved = {
      below: 300,
      credits: 5_000,
      monthly_limit: null,
      limit_currency: null,
      paused_at: null,
      paused_because: null,
    };
    expect(render(saved)).toMatch(/<input[^>]*inputMode="numeric"[^>]*value="300"/i);
  });

  it('do not take a limit in another currency for one in that of payments', () => {
    const saved = {
      below: 300,
      credits: 5_000,
      monthly_limit: 2_000_000,
      limit_currency: 'huf',
      paused_at: '2026-03-01T10:00:00.000Z',
      paused_because: 'currency_changed',
    } as const;
    const page = render(saved);
    expect(page).toMatch(/<input[^>]*inputMode="decimal"[^>]*value="50.00"/i);
    expect(page).toContain(`The limit was ${formatAmount(2_000_000, 'huf')}.`);
    expect(page).not.toContain(formatAmount(2_000_000, 'usd'));
  });
});
