import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import type { Answer } from './answer.js';
import { Contract, type Interface } from './contract.js';
import { PATIENCE_MS } from './unique.js';
import { systemUnderTest, type SystemUnderTest } from './environment.js';

export interface FeedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

/** Response of the collector, and whether it requested the body with `100 Continue`. */
export interface FeedAnswer extends Answer {
  readonly continued: boolean;
}

/** Posts like a front end: over one persistent connection, with `text/xml` and `Expect: 100-continue`. */
export class FeedClient {
  readonly contract: Contract;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly system: SystemUnderTest = systemUnderTest()) {
    this.contract = Contract.for(system.names);
  }

  get recordsPath(): string {
    return `/${this.system.names.senderRoot}/RequestMessage`;
  }

  get configurationPath(): string {
    return `/${this.system.names.senderRoot}/GetConfiguration`;
  }

  get batchPath(): string {
    return `/${this.system.names.senderRoot}/RecordBatch`;
  }

  async call(operationId: 'getConfiguration' | 'postRecord' | 'postRecords', wanted: FeedRequest): Promise<FeedAnswer> {
    const answer = await this.send(wanted);
    this.contract.check(operationId, answer);
    return answer;
  }

  async misuse(kind: Interface, wanted: FeedRequest): Promise<FeedAnswer> {
    const answer = await this.send(wanted);
    this.contract.checkError(kind, answer);
    return answer;
  }

  /** Posts a record that has to be accepted; returns the `Count` of the response. */
  async post(xml: string): Promise<number> {
    const answer = await this.call('postRecord', { body: xml });
    const count = /<Count>(\d+)<\/Count>/.exec(answer.body)?.[1];
    if (answer.status !== 200 || count === undefined) throw new Error(`not taken: ${answer.status} ${answer.body}`);
    return Number(count);
  }

  /** A header that is `undefined` is left out. */
  send({ method = 'POST', path = this.recordsPath, headers = {}, body }: FeedRequest): Promise<FeedAnswer> {
    const all: OutgoingHttpHeaders = {
      'content-type': 'text/xml',
      accept: 'text/xml',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      let continued = false;
      const url = new URL(path, this.system.collectorUrl);
      const message = request(url, { method, agent: this.agent, headers: given, timeout: PATIENCE_MS });
      message.on('continue', () => {
        continued = true;
        message.end(body);
      });
      message.on('timeout', () => message.destroy(new Error('the collector does not answer')));
      message.on('error', reject);
      message.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks).toString(), continued });
          // Without 100 Continue the body is not sent, so this connection cannot be used any more.
          if (given['expect'] !== undefined && !continued) message.destroy();
        });
      });
      if (given['expect'] === undefined) message.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
