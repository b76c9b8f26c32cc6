/** Adds the scheme to a server's typed address if it has none: http for this machine, https for others. */
export function typedAddress(text: string): string {
  const typed = text.trim();
  return typed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
    ? typed
    : `${/^(localhost|127(\.\d+){3}|\[::1\])(?=[:/?#]|$)/i.test(typed) ? 'http' : 'https'}://${typed}`;
}
