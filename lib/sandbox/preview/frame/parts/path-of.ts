/** The workspace path that an address refers to; undefined for any other address and for an empty one. */
export function pathOf(address: string): string | undefined {
  if (address === '' || address.startsWith('#')) return undefined;
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url?.origin === new URL(location.href).origin ? url.pathname : undefined;
}
