import { Agent, request, type Dispatcher } from 'undici';
import type { Answer } from './answer.js';
import { Contract, type Interface } from './contract.js';
import { systemUnderTest, type SystemUnderTest } from './environment.js';

export interface WebRequest {
  readonly method?: Dispatcher.HttpMethod;
  /** Absolute, or relative to the origin of the system, as in links. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends HTTPS requests to the system under test, and checks every response against OpenAPI. */
export class WebClient {
  readonly contract: Contract;
  private readonly agent: Agent;

  constructor(readonly system: SystemUnderTest = systemUnderTest()) {
    const { ca } = system;
    // HTTP/1.1, like the known clients: HTTP/2 would join the two lines of a challenge into one.
    this.agent = new Agent({
      allowH2: false,
      connect: ca === undefined ? {} : { ca },
      headersTimeout: 20_000,
      bodyTimeout: 20_000,
    });
    this.contract = Contract.for(system.names);
  }

  /** The response to a request, which has to be one that OpenAPI lists for the operation. */
  async call(operationId: string, wanted: WebRequest): Promise<Answer> {
    const answer = await this.send(wanted);
    this.contract.check(operationId, answer);
    return answer;
  }

  /** The response to a request that no operation describes, which has to be an error of the interface. */
  async misuse(kind: Interface, wanted: WebRequest): Promise<Answer> {
    const answer = await this.send(wanted);
    this.contract.checkError(kind, answer);
    return answer;
  }

  async send(wanted: WebRequest): Promise<Answer> {
    const { statusCode, headers, body } = await this.open(wanted);
    return { status: statusCode, headers, body: await body.text() };
  }

  /** The response with its body still to be read: for responses that do not end. */
  open({ method = 'GET', url, token, headers = {}, body }: WebRequest): Promise<Dispatcher.ResponseData> {
    return request(new URL(url, this.system.webUrl), {
      method,
      headers: token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers },
      body: body ?? null,
      dispatcher: this.agent,
    });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}
