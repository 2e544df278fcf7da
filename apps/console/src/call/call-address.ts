/** The address of a call's view, below the base of the router. A CallId may contain any character. */
export function callHref(callId: string): string {
  return `/calls/${encodeURIComponent(callId)}`;
}

/** The search for the calls with this value of the last week. */
export function searchHref(filter: string, value: string): string {
  return `/calls?${new URLSearchParams({ last: '7d', [filter]: value }).toString()}`;
}

/** The CallId of such an address. Read from the address itself, because the router decodes it only partly. */
export function callIdOf(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // The address was typed by hand, or truncated.
    return last;
  }
}
