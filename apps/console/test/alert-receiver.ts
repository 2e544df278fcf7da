import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

/** What a webhook gets of an alert, as far as tests use it. */
export interface DeliveredAlert {
  readonly state: string;
  readonly link: string;
}

/** A webhook that keeps the alerts it gets. */
export class AlertReceiver {
  readonly delivered: DeliveredAlert[] = [];
  private readonly server: Server;

  static async start(): Promise<AlertReceiver> {
    const receiver = new AlertReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  private constructor() {
    this.server = createServer((request, reply) => {
      void this.receive(request).then(() => reply.writeHead(204).end());
    });
  }

  private async receive(request: IncomingMessage): Promise<void> {
    const { state, link }: Partial<Record<string, unknown>> = { ...Object(await json(request)) };
    this.delivered.push({ state: String(state), link: String(link) });
  }

  /** The content of the file for `ALERT_RECEIVERS`; its name there is `pager`. */
  get settings(): object {
    const address = this.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const pager = { name: 'pager', kind: 'webhook', url: `http://127.0.0.1:${port}/`, secret: 'a secret of the tests' };
    return { receivers: [pager] };
  }

  stop(): void {
    this.server.close();
  }
}
