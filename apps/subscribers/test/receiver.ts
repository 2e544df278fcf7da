import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer, type ServerOptions } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** A subscriber that keeps the requests, and answers as configured. */
export class Receiver {
  readonly received: Received[] = [];
  /** Most requests that were open at the same time. */
  mostOpen = 0;
  answer: (body: string) => { status: number; headers?: Record<string, string> } = () => ({ status: 200 });
  /** Resolves when it may answer. */
  held: Promise<unknown> | undefined;
  private open = 0;

  private constructor(
    private readonly server: Server | SecureServer,
    readonly port: number,
    private readonly isSecure: boolean,
  ) {}

  /** Over HTTPS with `tls`. */
  static async start(port = 0, tls?: ServerOptions): Promise<Receiver> {
    const server = tls === undefined ? createServer() : createSecureServer(tls);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    const receiver = new Receiver(server, address.port, tls !== undefined);
    server.on('request', (request, response) => void receiver.receive(request, response));
    return receiver;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    const body = await text(request);
    await this.held;
    this.open--;
    const { status, headers = {} } = this.answer(body);
    if (status === 200) {
      this.received.push({ path: request.url ?? '', contentType: request.headers['content-type'], body });
    }
    response.writeHead(status, headers).end();
  }

  get url(): string {
    return this.isSecure ? `https://localhost:${this.port}/sdn` : `http://127.0.0.1:${this.port}/sdn`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
