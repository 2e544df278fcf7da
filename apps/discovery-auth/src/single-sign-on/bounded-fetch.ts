/** More than any discovery document or key set needs. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** The part of a request that openid-client and jose set. */
interface ProviderRequest {
  readonly method: string;
  readonly headers: NonNullable<ConstructorParameters<typeof Headers>[0]>;
  readonly body?: ConstructorParameters<typeof Response>[0];
}

type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/**
 * Fetches from the provider: the whole answer within the time, at most {@link MAX_ANSWER_BYTES}, and without following
 * redirects. Rejects otherwise.
 */
export function boundedFetch(timeoutMs: number): ProviderFetch {
  return async (url, request) => {
    const { status, headers, body } = await fetch(url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // A body that is missing by rule may not be given to a Response either.
    const bytes = body === null ? null : await readAll(body);
    return new Response(bytes, { status, headers });
  };
}

/**
 * The same, with this text as `redirect_uri`: it must be identical to that of the authorization request (RFC 6749, section 4.1.3), and
 * openid-client sends a parsed URL, which has a slash as its path and no query.
 */
export function withRedirectUri(fetch: ProviderFetch, redirectUri: string): ProviderFetch {
  return (url, request) => {
    if (!(request.body instanceof URLSearchParams) || !request.body.has('redirect_uri')) return fetch(url, request);
    const body = new URLSearchParams(request.body);
    body.set('redirect_uri', redirectUri);
    return fetch(url, { ...request, body });
  };
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
