import { at, json, type Answer } from './answer.js';
import { signIn } from './sign-in.js';
import { until } from './unique.js';
import type { WebClient } from './web-client.js';

/** Reads the query API with the token of an operator. */
export class Operator {
  private constructor(
    readonly client: WebClient,
    readonly token: string,
  ) {}

  static async signIn(client: WebClient): Promise<Operator> {
    return new Operator(client, await signIn(client, client.system.operator));
  }

  call(operationId: string, url: string): Promise<Answer> {
    return this.client.call(operationId, { url, token: this.token });
  }

  async read(operationId: string, url: string): Promise<unknown> {
    const answer = await this.call(operationId, url);
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${answer.body}`);
    return json(answer);
  }

  /** A call as soon as it matches: records need a moment to become calls. */
  callThat(callId: string, what: string, is: (call: unknown) => boolean): Promise<unknown> {
    return until(`call ${callId} ${what}`, async () => {
      const answer = await this.call('readCall', `/api/calls/${encodeURIComponent(callId)}`);
      if (answer.status === 404) return undefined;
      const call = json(answer);
      return is(call) ? call : undefined;
    });
  }

  /** Waits until all of its records have been processed. */
  callOf(callId: string, records: number): Promise<unknown> {
    return this.callThat(callId, `of ${records} records`, (call) => at(call, 'version') === records);
  }
}
