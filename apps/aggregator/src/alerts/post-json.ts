import * as http from 'node:http';
import * as https from 'node:https';

/** Whether a receiver has taken a notice; the reason contains nothing of its settings. */
export type Delivery = { readonly ok: true } | { readonly ok: false; readonly reason: string };

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
  const { request } = url.protocol === 'https:' ? https : http;
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
      resolve(isTaken ? { ok: true } : { ok: false, reason: `the receiver replied with ${statusCode}` });
      sent.destroy();
    });
    sent.on('error', (error) => resolve({ ok: false, reason: networkReason(error) }));
    // Node.js emits neither a response nor an error for 101 (Switching Protocols).
    sent.on('close', () => resolve({ ok: false, reason: 'the receiver did not reply' }));
    sent.end(bytes);
  });
}

/** Codes only: messages may quote the address. */
export function networkReason(error: Error & { readonly code?: string }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no reply within the time limit';
  return `the receiver cannot be reached: ${error.code ?? error.name}`;
}
