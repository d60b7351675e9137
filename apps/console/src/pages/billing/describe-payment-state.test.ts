import { describe, expect, it } from 'vitest';
import { formatAmount } from '../../lib/amount.ts';
import { formatDateTime } from '../../lib/format.ts';
import { describePaymentState } from './describe-payment-state.ts';

const OPENED = '2026-03-01T10:00:00.000Z';
const AMOUNT = formatAmount(5_000, 'usd');
const describeSettled = (status: string, closed_at: string | null = null) =>
  describePaymentState({
    state: 'settled',
    failure: null,
    dispute: { status, amount: 5_000, currency: 'usd', created_at: OPENED, closed_at },
  });

describe('the state of a payment', () => {
  it('names an open dispute with its amount and its beginning', () => {
    const since = formatDateTime(OPENED);
    expect(describeSettled('under_review')).toEqual({
      label: 'Disputed',
      notes: [`${AMOUNT}, since ${since}`],
    });
  });

  it('names a lost dispute, and none that ended otherwise', () => {
    expect(describeSettled('lost', OPENED)).toEqual({ label: 'Dispute lost', notes: [AMOUNT] });
    for (const status of ['won', 'warning_closed', 'prevented'])
      expect(describeSettled(status, OPENED)).toEqual({ label: 'Paid', notes: [] });
  });

  it('stays as it is during an inquiry, which suspends nothing', () => {
    const { label, notes } = describeSettled('warning_needs_response');
    expect(label).toBe('Paid');
    expect(notes).toEqual([expect.stringContaining(`Inquiry of the bank about ${AMOUNT}`)]);
  });

  it('has the reason of a declined payment', () => {
    expect(describePaymentState({ state: 'declined', failure: 'lost_card', dispute: null })).toEqual({
      label: 'Declined',
      notes: ['Reason: lost_card'],
    });
  });
});
