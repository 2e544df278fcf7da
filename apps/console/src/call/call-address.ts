/** Where the view of a call is, below the base of the router. A CallId may hold anything. */
export function callHref(callId: string): string {
  return `/calls/${encodeURIComponent(callId)}`;
}

/** The CallId of such an address. Out of the address itself: what the router hands over is decoded by half. */
export function callIdOf(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // Somebody has made it up, or cut it off.
    return last;
  }
}
