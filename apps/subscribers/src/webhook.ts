import { readFile } from 'node:fs/promises';
import { Agent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Transport, SendResult } from './transport.js';
import type { OutgoingRequest } from './outgoing.js';
import type { SubscriberSettings } from './subscription.js';

/** The connections to a receiver: kept open, at most as many as it allows. */
export class Webhook implements Transport {
  private constructor(
    private readonly url: URL,
    private readonly agent: Agent,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects when a certificate file cannot be read. */
  static async open(submituri: string, subscription: SubscriberSettings): Promise<Webhook> {
    const { maxopen, requesttimeout, cafile, clientcertificate, clientkey } = subscription;
    const url = new URL(submituri);
    const options = { keepAlive: true, maxSockets: maxopen, scheduling: 'lifo' as const };
    const [ca, cert, key] = await Promise.all([cafile, clientcertificate, clientkey].map(readOptionalFile));
    const agent =
      url.protocol === 'https:'
        ? new HttpsAgent({ ...options, ...withoutUndefined({ ca, cert, key }) })
        : new Agent(options);
    return new Webhook(url, agent, requesttimeout * 1_000);
  }

  /** Anything but 2xx is a failure. */
  send({ contentType, body }: OutgoingRequest): Promise<SendResult> {
    const { protocol } = this.url;
    const bytes = Buffer.from(body);
    const headers = { 'content-type': contentType, 'content-length': bytes.length };
    return new Promise((resolve) => {
      const request = protocol === 'https:' ? requestHttps : requestHttp;
      const options = { method: 'POST', agent: this.agent, headers, signal: AbortSignal.timeout(this.timeoutMs) };
      const sent = request(this.url, options, (response) => {
        response.on('error', (error) => resolve(failed(error)));
        // The body is not used, but must be read before the connection can be used again.
        response.resume().on('end', () => resolve(responseSendResult(response)));
      });
      // Without a listener, Node.js emits neither a response nor an error for 101.
      sent.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(responseSendResult(response));
      });
      sent.on('error', (error) => resolve(failed(error)));
      sent.end(bytes);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function responseSendResult({ statusCode = 0, headers }: IncomingMessage): SendResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const seconds = Number(headers['retry-after']);
  return {
    ok: false,
    reason: `the receiver replied with ${statusCode}`,
    ...(Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {}),
  };
}

function failed(error: Error & { code?: string }): SendResult {
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return { ok: false, reason: 'no reply within the time limit' };
  // A host with several addresses fails with an error that has a code and no message.
  return { ok: false, reason: error.message === '' ? (error.code ?? 'the host cannot be reached') : error.message };
}

function readOptionalFile(file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? Promise.resolve(undefined) : readFile(file);
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined has just been left out
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
