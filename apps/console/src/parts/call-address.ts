import { callIdOfSegment, callSegment } from '../api/call-segment.js';

/**
 * The address of a call's view, below the base of the router. A CallId may contain any character. `list`: the page of
 * results that it belongs to, as a query to the API; the view links to the calls beside it.
 */
export function callHref(callId: string, list?: string): string {
  const path = `/calls/${callSegment(callId)}`;
  return list === undefined ? path : `${path}?${new URLSearchParams({ list }).toString()}`;
}

/** The list in the address of a call. */
export function callListInAddress(search: string): string | null {
  return new URLSearchParams(search).get('list');
}

/** The search for the calls with this value of the last week. */
export function searchHref(filter: string, value: string): string {
  return `/calls?${new URLSearchParams({ last: '7d', [filter]: value }).toString()}`;
}

/** The CallId of such an address. Read from the address itself, because the router decodes it only partly. */
export function callIdInAddress(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return callIdOfSegment(last);
  } catch {
    // The address was typed by hand, or truncated.
    return last;
  }
}
