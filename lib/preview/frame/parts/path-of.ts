/** The path in the workspace that an address means; undefined for any other, and for none. */
export function pathOf(address: string): string | undefined {
  if (address === '' || address.startsWith('#')) return undefined;
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url?.origin === new URL(location.href).origin ? url.pathname : undefined;
}
