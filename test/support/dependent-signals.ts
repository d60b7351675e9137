/** Entries that Node 20 leaves in a signal of which others were made by `AbortSignal.any`, for as long as the signal exists. */
export function countDependentSignals(signal: AbortSignal): number {
  const entries = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const found = entries && (signal as unknown as Record<symbol, { size: number } | null>)[entries];
  return found?.size ?? 0;
}
