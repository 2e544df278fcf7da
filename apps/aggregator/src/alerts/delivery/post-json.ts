import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Why a notice was not taken, for clients with their own words; the detail is a status or the code of an error. */
export interface DeliveryFailure {
  readonly code:
    | 'unknown-receiver'
    | 'status'
    | 'no-reply'
    | 'unreachable'
    | 'mail-sign-in'
    | 'mail-address'
    | 'mail-message'
    | 'mail-tls'
    | 'mail-protocol'
    | 'mail-refused';
  readonly detail: string | null;
}

/** Whether a receiver has taken a notice; the reason contains nothing of its settings. */
export type Delivery =
  { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly failure: DeliveryFailure };

/**
 * Posts JSON. Only the status of the reply counts: its body is not read, redirects are not followed, and the whole
 * exchange has a time limit.
 */
export function postJson(
  url: URL,
  body: string,
  {
    headers,
    timeoutMs,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
  },
): Promise<Delivery> {
  const bytes = Buffer.from(body);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
    });
    sent.on('response', (response) => {
      const { statusCode = 0 } = response;
      const isTaken = statusCode >= 200 && statusCode < 300;
      resolve(isTaken ? { ok: true } : refusal(statusCode));
      sent.destroy();
    });
    sent.on('error', (error) => resolve(networkFailure(error)));
    // Without a listener, Node.js emits neither a response nor an error for 101.
    sent.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(refusal(statusCode));
    });
    sent.end(bytes);
  });
}

type Failed = Exclude<Delivery, { readonly ok: true }>;

/** For a receiver that did not reply in time. */
export const TOO_LATE: Failed = {
  ok: false,
  reason: 'no reply within the time limit',
  failure: { code: 'no-reply', detail: null },
};

function refusal(status: number): Failed {
  const failure = { code: 'status', detail: String(status) } as const;
  return { ok: false, reason: `the receiver replied with ${status}`, failure };
}

/** Codes only: messages may quote the address. */
function networkFailure(error: Error & { readonly code?: string }): Failed {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return TOO_LATE;
  const detail = error.code ?? error.name;
  return { ok: false, reason: `the receiver cannot be reached: ${detail}`, failure: { code: 'unreachable', detail } };
}
