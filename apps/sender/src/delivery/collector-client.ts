import * as http from 'node:http';
import * as https from 'node:https';
import { isNativeError } from 'node:util/types';

/** What a collector answered, whatever the status. */
export interface CollectorAnswer {
  readonly status: number;
  readonly body: string;
}

/** Nothing that could be called an answer came. The message says why, for a person. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface CollectorClientOptions {
  /** How long one request may take as a whole, milliseconds. */
  readonly timeoutMs?: number;
  /** How long to wait for `100 Continue` before the body goes out all the same, milliseconds (RFC 9110, 10.1.1). */
  readonly continueWaitMs?: number;
}

const KEEP_ALIVE_MS = 1_000;
const MAX_ANSWER = 64 * 1_024;

/** The one persistent connection of a front end: one request at a time, TCP keep-alive each second while it is idle. */
export class CollectorClient {
  private readonly timeoutMs: number;
  private readonly continueWaitMs: number;
  private readonly agents: { readonly http: http.Agent; readonly https: https.Agent };

  constructor({ timeoutMs = 10_000, continueWaitMs = 1_000 }: CollectorClientOptions = {}) {
    this.timeoutMs = timeoutMs;
    this.continueWaitMs = continueWaitMs;
    const options = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS, maxSockets: 1 };
    this.agents = { http: new http.Agent(options), https: new https.Agent(options) };
  }

  /** Rejects with {@link NoAnswer} and nothing else. */
  async post(url: URL, xml: string): Promise<CollectorAnswer> {
    const body = Buffer.from(xml, 'utf8');
    const first = await this.exchange(url, body);
    if (!(first instanceof StaleConnection)) return first;
    // The collector closed the idle connection in this moment and has seen nothing of the body: no record comes twice.
    const second = await this.exchange(url, body);
    if (second instanceof StaleConnection) throw new NoAnswer('the connection is closed again and again');
    return second;
  }

  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private exchange(url: URL, body: Buffer): Promise<CollectorAnswer | StaleConnection> {
    const request = this.open(url, body.length);
    return new Promise((resolve, reject) => {
      let bodySent = false;
      const sendBody = (): void => {
        if (bodySent) return;
        bodySent = true;
        request.end(body);
      };
      const impatience = setTimeout(sendBody, this.continueWaitMs);
      const timeout = setTimeout(() => request.destroy(new NoAnswer('no answer in time')), this.timeoutMs);
      const settled = (): void => {
        clearTimeout(impatience);
        clearTimeout(timeout);
      };
      request.once('continue', sendBody);
      request.once('response', (response) => {
        clearTimeout(impatience);
        readAnswer(response)
          .then(resolve, reject)
          .finally(() => {
            settled();
            // A final answer instead of "100 Continue": what was announced never comes, so the connection is of no use.
            if (!bodySent) request.destroy();
          });
      });
      request.on('error', (error) => {
        settled();
        if (request.reusedSocket && !bodySent && isConnectionLoss(error)) resolve(new StaleConnection());
        else reject(error instanceof NoAnswer ? error : new NoAnswer(reasonOf(error), { cause: error }));
      });
    });
  }

  private open(url: URL, contentLength: number): http.ClientRequest {
    const headers = {
      'Content-Type': 'text/xml',
      Accept: 'text/xml',
      'Content-Length': contentLength,
      Expect: '100-continue',
    };
    return url.protocol === 'https:'
      ? https.request(url, { method: 'POST', agent: this.agents.https, headers })
      : http.request(url, { method: 'POST', agent: this.agents.http, headers });
  }
}

/** The kept connection turned out to be closed before anything of the body went over it. */
class StaleConnection {}

async function readAnswer(response: http.IncomingMessage): Promise<CollectorAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > MAX_ANSWER) throw new NoAnswer(`the answer is longer than ${MAX_ANSWER} bytes`);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(`the answer broke off: ${reasonOf(error)}`, { cause: error });
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
}

function codeOf(error: unknown): unknown {
  return isNativeError(error) && 'code' in error ? error.code : undefined;
}

function isConnectionLoss(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE';
}

/** In words for a person; a name with several addresses fails with an error that has no message of its own. */
function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'the connection was closed';
    case 'ENOTFOUND':
      return 'there is no such host';
    default:
      return isNativeError(error) ? error.message : String(error);
  }
}
