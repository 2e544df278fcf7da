import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** What a webhook gets of an alert, as far as tests use it. */
export interface DeliveredAlert {
  readonly state: string;
  readonly link: string;
}

/** A webhook that keeps the alerts it gets. */
export class AlertReceiver {
  readonly delivered: DeliveredAlert[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'ringdown-receivers-'));
  private readonly server: Server;

  static async start(): Promise<AlertReceiver> {
    const receiver = new AlertReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    const address = receiver.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const pager = { name: 'pager', kind: 'webhook', url: `http://127.0.0.1:${port}/`, secret: 'a secret of the tests' };
    writeFileSync(receiver.file, JSON.stringify({ receivers: [pager] }), { mode: 0o600 });
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

  /** For `ALERT_RECEIVERS`; its name there is `pager`. */
  get file(): string {
    return join(this.folder, 'receivers.json');
  }

  stop(): void {
    this.server.close();
    rmSync(this.folder, { recursive: true });
  }
}
