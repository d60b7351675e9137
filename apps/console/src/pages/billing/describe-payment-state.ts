import type { Payment } from '../../api/billing.ts';
import { formatAmount } from '../../lib/amount.ts';
import { formatDateTime } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';

export interface PaymentStateDescription {
  label: string;
  /** Further lines. */
  notes: string[];
}

/** A dispute that is open or lost says more than that the payment was paid. */
export function describePaymentState({
  state,
  failure,
  dispute,
}: Pick<Payment, 'state' | 'failure' | 'dispute'>): PaymentStateDescription {
  const label = texts.billing.states[state] ?? state;
  const notes = failure === null ? [] : [texts.billing.failure(failure)];
  if (dispute === null) return { label, notes };
  const amount = formatAmount(dispute.amount, dispute.currency);
  const opened = formatDateTime(dispute.created_at);
  if (dispute.status === 'lost') return { label: texts.billing.disputeLost, notes: [...notes, amount] };
  if (dispute.closed_at !== null) return { label, notes };
  if (dispute.status.startsWith('warning_'))
    return { label, notes: [...notes, texts.billing.inquiry(amount, opened)] };
  return { label: texts.billing.disputed, notes: [...notes, texts.billing.disputedSince(amount, opened)] };
}
