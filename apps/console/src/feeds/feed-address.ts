/** The page of a feed. */
export function feedHref(name: string): string {
  return `/feeds/${encodeURIComponent(name)}`;
}

/** The name in the address of such a page. Read from the address itself, because the router decodes it only partly. */
export function feedInAddress(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // The address was typed by hand, or truncated.
    return last;
  }
}

/** Calls with these filters, of the last seven days. */
export function recentCallsHref(filters: Readonly<Record<string, string>>): string {
  return `/calls?${new URLSearchParams({ last: '7d', ...filters }).toString()}`;
}
