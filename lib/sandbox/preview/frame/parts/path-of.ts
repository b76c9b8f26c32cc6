/**
 * Returns the path in the workspace that an address leads to, percent-encoded as in the address, without query and fragment.
 * Undefined for an address elsewhere, an empty one, and a mere fragment.
 */
export function pathOf(address: string): string | undefined {
  if (address === '' || address.startsWith('#')) return undefined;
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url?.origin === new URL(location.href).origin ? url.pathname : undefined;
}
