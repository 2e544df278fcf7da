import { errorReason, nodeErrorCode } from '@ringdown/errors';
import { readBody } from '@ringdown/node-http/requests';
import type { axios } from 'acme-client';
import { Agent, request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { AcmeFailure, isProblem, refusal } from './acme-failure.js';

type Adapter = Extract<typeof axios.defaults.adapter, (...args: never[]) => unknown>;
type RequestConfig = Parameters<Adapter>[0];
type Answer = Awaited<ReturnType<Adapter>>;

const REQUEST_MS = 30_000;
/** A chain of certificates has some 10 kB. */
const MOST_BYTES = 1_000_000;
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';

/** Codes of Node for a certificate of the authority's own server that is not trusted. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const WRONG_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/**
 * Requests to one authority, in place of those of `acme-client`: that waits by itself as long as an answer asks it to, cannot be
 * stopped, has no time limit, and loses the reason when a server cannot be reached.
 */
export class CaTransport {
  private readonly agent: Agent;
  private readonly stopping = new AbortController();
  /** What the last answer asked for. */
  retryAfterMs: number | undefined;

  /** `ca`: PEM; undefined for the authorities that Node trusts. */
  constructor(ca: string | undefined) {
    this.agent = new Agent({ keepAlive: true, ...(ca !== undefined && { ca }) });
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Ends what is under way. */
  close(): void {
    this.stopping.abort(new Error('stopped'));
    this.agent.destroy();
  }

  readonly adapter = async (config: RequestConfig): Promise<Answer> => {
    const { url = '' } = config;
    const { response, body } = await this.send(url, config);
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
    this.retryAfterMs = retryAfter(headers['retry-after']);
    const data = parsed(response, body);
    if (status >= 400) this.refuseUnlessBadNonce(url, status, data);
    return { data, status, statusText, headers: textHeaders(headers), config };
  };

  private async send(url: string, config: RequestConfig): Promise<{ response: IncomingMessage; body: Buffer }> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(REQUEST_MS)]);
    try {
      const method = config.method?.toUpperCase() ?? 'GET';
      const headers = Object.fromEntries(Object.entries(config.headers.toJSON()).map(([k, v]) => [k, String(v)]));
      const sent = request(url, { method, headers, agent: this.agent, signal });
      // `once` reports the first error and listens no longer; a socket that is then destroyed has another one, which would end the process.
      sent.on('error', () => undefined);
      sent.end(typeof config.data === 'string' ? config.data : undefined);
      const [response]: IncomingMessage[] = await once(sent, 'response', { signal });
      if (response === undefined) throw new Error('no answer');
      return { response, body: await readBody(response, MOST_BYTES) };
    } catch (error) {
      this.signal.throwIfAborted();
      throw unreachable(new URL(url).host, error, signal);
    }
  }

  /** `acme-client` itself asks again with another nonce. */
  private refuseUnlessBadNonce(url: string, status: number, data: unknown): void {
    const problem = isProblem(data) ? data : {};
    if (problem.type === BAD_NONCE) return;
    const { pathname, host } = new URL(url);
    const { retryAfterMs } = this;
    if (problem.type === undefined)
      throw new AcmeFailure('unexpectedAnswer', `${host} answers ${pathname} with ${status}`, { retryAfterMs });
    throw refusal(`${host} refuses`, problem, { retryAfterMs });
  }
}

function unreachable(host: string, error: unknown, signal: AbortSignal): AcmeFailure {
  const code = nodeErrorCode(error) ?? '';
  const reason = signal.aborted ? `no answer within ${REQUEST_MS / 1_000} s` : errorReason(error);
  const kind = UNTRUSTED.has(code) ? 'untrusted' : WRONG_TIME.has(code) ? 'wrongTime' : 'unreachable';
  return new AcmeFailure(kind, `${host} cannot be reached: ${reason}`, { cause: error });
}

function parsed({ headers }: IncomingMessage, body: Buffer): unknown {
  const content = body.toString('utf8');
  if (!/[/+]json\b/.test(headers['content-type'] ?? '')) return content;
  try {
    return JSON.parse(content);
  } catch {
    // What is expected is then missing, which is reported.
    return content;
  }
}

function textHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
