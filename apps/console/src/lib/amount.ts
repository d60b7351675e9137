/** Currencies that the API counts in whole units. */
const ZERO_DECIMAL_CURRENCIES = new Set(
  'bif,clp,djf,gnf,jpy,kmf,krw,mga,pyg,rwf,vnd,vuv,xaf,xof,xpf'.split(','),
);

export function getCurrencyDecimals(currency: string): number {
  return ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : 2;
}

/** @param amount in the smallest unit of the currency */
export function formatAmount(amount: number, currency: string): string {
  const decimals = getCurrencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(
    amount / 10 ** decimals,
  );
}

/** @returns in the smallest unit of the currency; null if the text is no such amount */
export function parseAmount(text: string, currency: string): number | null {
  const decimals = getCurrencyDecimals(currency);
  const [, units, rest = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (units === undefined || rest.length > decimals) return null;
  return Number(units + rest.padEnd(decimals, '0'));
}
