/** A server's address as it is meant: without a scheme, one of this machine is http, any other https. */
export function typedAddress(text: string): string {
  const typed = text.trim();
  return typed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
    ? typed
    : `${/^(localhost|127\.|\[::1\])/.test(typed) ? 'http' : 'https'}://${typed}`;
}
