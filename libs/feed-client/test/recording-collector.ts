import { writeBatchReply } from '@ringdown/xml-schemas';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it was received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Whether the sender waited for `100 Continue` before the body. */
  readonly askedToContinue: boolean;
  /** Number of its connection, counted from 1. */
  readonly connection: number;
}

type Answer = (response: ServerResponse, count: number) => void;

/** A collector that records all requests and answers as configured. */
export class RecordingCollector {
  readonly received: Received[] = [];
  /** How records are answered; configuration requests are always answered with 200. */
  answer: Answer = (response, count) => xml(response, 200, `<Response><Count>${count}</Count></Response>`);
  /** What configuration requests are answered with. */
  configuration = '<Configuration Version="1.0"/>';
  /** Called for each received record. */
  onRecord: (received: Received) => void = () => undefined;
  /** Rejects an announced body with this status instead of sending `100 Continue`. */
  refuseToContinue: number | undefined;
  /** Waits for the body without `100 Continue`, as servers that do not know `Expect`. */
  ignoresExpect = false;

  /** Answers nothing at all, not even configuration requests. */
  isSilent = false;

  private server: Server | undefined;
  private readonly sockets: Socket[] = [];
  private count = 0;
  private port = 0;

  /** `tls`: over HTTPS. */
  private constructor(private readonly tls: ServerOptions | undefined) {}

  static async start(tls?: ServerOptions): Promise<RecordingCollector> {
    const collector = new RecordingCollector(tls);
    await collector.start();
    return collector;
  }

  get url(): string {
    return this.tls ? `https://localhost:${this.port}` : `http://127.0.0.1:${this.port}`;
  }

  get records(): readonly Received[] {
    return this.received.filter(({ path }) => !path.endsWith('/GetConfiguration'));
  }

  /** Also after {@link stop}, at the same address; `Count` starts again. */
  async start(): Promise<void> {
    this.count = 0;
    const handler = (request: IncomingMessage, response: ServerResponse): void =>
      void this.handle(request, response, false);
    const server: Server = this.tls ? createSecureServer(this.tls, handler) : createServer(handler);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (this.refuseToContinue !== undefined) return xml(response, this.refuseToContinue, '<Error/>');
      if (!this.ignoresExpect) response.writeContinue();
      void this.handle(request, response, true);
    });
    server.on(this.tls ? 'secureConnection' : 'connection', (socket) => this.sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** From now on it announces batches of so many records, and stores all of each. */
  acceptBatches(records: number): void {
    this.configuration = `<Configuration Version="1.0" AcceptedBatch="${records} 100000"/>`;
    this.answer = (response, count): void => {
      const stored = this.records.at(-1)?.body.split('\n').length ?? 0;
      xml(response, 200, writeBatchReply({ count, stored, rejected: [] }));
    };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Closes idle connections, as a server with a short keep-alive does. */
  dropConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private async handle(request: IncomingMessage, response: ServerResponse, askedToContinue: boolean): Promise<void> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
    } catch (error) {
      // A sender that disconnects before the body has arrived, as without `100 Continue`, has sent nothing.
      if (!request.complete) return;
      throw error;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const { url: path = '', headers, socket } = request;
    const connection = this.sockets.indexOf(socket) + 1;
    const received = { path, headers, body, askedToContinue, connection };
    this.received.push(received);
    this.count++;
    if (this.isSilent) return;
    if (path.endsWith('/GetConfiguration')) xml(response, 200, this.configuration);
    else {
      this.onRecord(received);
      this.answer(response, this.count);
    }
  }
}

export function xml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
}
