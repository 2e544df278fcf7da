const ACCOUNTS = '/accounts';

/** The address of a person's view, below the base of the router. */
export function accountHref(username: string): string {
  return `${ACCOUNTS}/${encodeURIComponent(username)}`;
}

/** The username of such an address. Read from the address itself, because the router decodes it only partly. */
export function usernameInAddress(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // The address was typed by hand, or truncated.
    return last;
  }
}
