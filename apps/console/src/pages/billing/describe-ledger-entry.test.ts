import { expect, it } from 'vitest';
import { describeLedgerEntry } from './describe-ledger-entry.ts';

it.each([
  ['Granted', 'grant', 50],
  ['Deducted', 'grant', -50],
  ['Taken back', 'reversal', -50],
  ['Given back', 'reversal', 50],
  ['Charged for a job', 'capture', -50],
] as const)('“%s” is an entry %s of %i', (label, kind, amount) => {
  expect(describeLedgerEntry({ kind, note: 'why', amount })).toEqual({ label, note: 'why' });
});

it('a grant that was paid is named so, without its note', () => {
  const payment = { kind: 'grant', note: 'payment', amount: 50 } as const;
  expect(describeLedgerEntry(payment)).toEqual({ label: 'Payment', note: null });
});
