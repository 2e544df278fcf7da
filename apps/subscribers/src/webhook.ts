import { errorReason } from '@ringdown/errors';
import { SettingsError } from '@ringdown/settings';
import { readFile } from 'node:fs/promises';
import { Agent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { finished } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { Transport, SendResult } from './transport.js';
import type { OutgoingRequest } from './outgoing.js';
import type { SubscriberSettings } from './subscription.js';

interface Secrets {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** How long the body of a reply may go on after its status. */
const BODY_MS = 1_000;

/** The connections to a receiver: kept open, at most as many as it allows. */
export class Webhook implements Transport {
  private constructor(
    private readonly url: URL,
    private readonly agent: Agent,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects with `SettingsError` when a certificate file cannot be read, or no request can be made with what is in it or in the address. */
  static async open(submituri: string, subscription: SubscriberSettings): Promise<Webhook> {
    const { name, maxopen, requesttimeout } = subscription;
    const url = new URL(submituri);
    const options = { keepAlive: true, maxSockets: maxopen, scheduling: 'lifo' as const };
    try {
      const secrets = await readSecrets(subscription);
      // Each request would throw what these throw.
      urlToHttpOptions(url);
      createSecureContext(secrets);
      const agent = url.protocol === 'https:' ? new HttpsAgent({ ...options, ...secrets }) : new Agent(options);
      return new Webhook(url, agent, requesttimeout * 1_000);
    } catch (error) {
      throw new SettingsError([`SUBSCRIBERS_FILE subscriber ${name}: ${errorReason(error)}`]);
    }
  }

  /** Anything but 2xx is a failure; only the status counts, also of a reply whose body does not end. */
  send(outgoing: OutgoingRequest): Promise<SendResult> {
    return new Promise<SendResult>((resolve) => this.request(outgoing, resolve)).catch(failed);
  }

  private request({ contentType, body }: OutgoingRequest, resolve: (result: SendResult) => void): void {
    const bytes = Buffer.from(body);
    const headers = { 'content-type': contentType, 'content-length': bytes.length };
    const request = this.url.protocol === 'https:' ? requestHttps : requestHttp;
    const options = { method: 'POST', agent: this.agent, headers, signal: AbortSignal.timeout(this.timeoutMs) };
    const sent = request(this.url, options, (response) => {
      const unfinished = setTimeout(() => response.destroy(), BODY_MS);
      // The body is not used, but must be read before the connection can be used again.
      finished(response.resume(), () => {
        clearTimeout(unfinished);
        resolve(responseSendResult(response));
      });
    });
    // Without a listener, Node.js emits neither a response nor an error for 101.
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(responseSendResult(response));
    });
    sent.on('error', (error) => resolve(failed(error)));
    sent.end(bytes);
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

async function readSecrets({ cafile, clientcertificate, clientkey }: SubscriberSettings): Promise<Secrets> {
  const [ca, cert, key] = await Promise.all([cafile, clientcertificate, clientkey].map(readOptionalFile));
  return withoutUndefined({ ca, cert, key });
}

function readOptionalFile(file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? Promise.resolve(undefined) : readFile(file);
}

function withoutUndefined(values: { [K in keyof Secrets]: Buffer | undefined }): Secrets {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
