import { MessageResponseStatus, PagedResultsControl, SearchRequest, SearchResponse, type Client } from 'ldapts';

/**
 * Lets a client read on after a page without entries: only an empty cookie ends a result (RFC 2696, section 2), and Active Directory and
 * proxies send such pages. ldapts 9.2 takes one for the end, without an error (`Client._sendSearch`).
 */
export function readOnAfterEmptyPages(client: Client): void {
  const send = privateMethod(client, '_send');
  const nextId = privateMethod(client, '_nextMessageId');
  Reflect.set(client, '_send', async (request: unknown): Promise<unknown> => {
    for (;;) {
      const response = await send(request);
      if (!(request instanceof SearchRequest)) return response;
      const cookie = cookieOfEmptyPage(response);
      const control = request.controls?.find((each) => each instanceof PagedResultsControl);
      if (cookie === undefined || control === undefined) return response;
      control.value = { size: control.value?.size ?? 0, cookie };
      request.messageId = Number(nextId());
    }
  });
}

/** What the next page is requested with; undefined when this is not an empty page with others behind it. */
function cookieOfEmptyPage(response: unknown): Buffer | undefined {
  if (!(response instanceof SearchResponse) || response.status !== MessageResponseStatus.Success) return undefined;
  if (response.searchEntries.length + response.searchReferences.length > 0) return undefined;
  const cookie = response.controls?.find((each) => each instanceof PagedResultsControl)?.value?.cookie;
  return cookie === undefined || cookie.length === 0 ? undefined : cookie;
}

function privateMethod(client: Client, name: string): (...given: readonly unknown[]) => unknown {
  const method: unknown = Reflect.get(client, name);
  if (typeof method !== 'function') throw new Error(`this version of ldapts has no ${name}`);
  return (...given) => Reflect.apply(method, client, given);
}
