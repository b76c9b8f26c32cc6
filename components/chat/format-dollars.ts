/** Formats an amount in US dollars: with two decimals or, below $0.10, with at most two significant digits. */
export const formatDollars = (dollars: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...(dollars > 0 && dollars < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 }),
  } as const).format(dollars);
