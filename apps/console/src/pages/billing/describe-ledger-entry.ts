import type { LedgerEntry } from '../../api/billing.ts';
import { texts } from '../../texts/index.ts';

/** @returns the note without that of payments, which have a name of their own */
export function describeLedgerEntry({ kind, note, amount }: Pick<LedgerEntry, 'kind' | 'note' | 'amount'>): {
  label: string;
  note: string | null;
} {
  const { entries } = texts.billing;
  // Credits that were paid on a checkout page or by auto-recharge, and not granted by the operator.
  if (kind === 'grant' && note === 'payment') return { label: entries['payment'] ?? kind, note: null };
  return { label: entries[findName(kind, amount)] ?? kind, note };
}

/** The operator also takes credits, and a refund that fails gives them back. */
function findName(kind: string, amount: number): string {
  if (kind === 'grant' && amount < 0) return 'deducted';
  if (kind === 'reversal' && amount > 0) return 'returned';
  return kind;
}
