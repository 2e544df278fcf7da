import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { CapturedPacket } from '../hep/captured-packet.js';
import { HepError, type HepProblem } from '../hep/hep-error.js';
import { HepStream } from '../hep/hep-stream.js';
import { readHep, type HepOptions } from '../hep/read-hep.js';

export interface HepListenerOptions extends HepOptions {
  readonly host: string;
  /** For UDP and for TCP; 0 lets the system choose. */
  readonly port: number;
  /** PEM. */
  readonly tls?: { readonly port: number; readonly cert: string; readonly key: string };
  /** `bytes`: as they came, for the log of input. */
  readonly onPacket: (packet: CapturedPacket, bytes: Buffer) => void;
  readonly onRefused: (problem: HepProblem, message: string, from: string) => void;
}

/** Room for what comes while the sender is busy with something else; the system may grant less. */
const UDP_BUFFER = 8 * 1_024 * 1_024;
const MAX_CONNECTIONS = 256;

/** Takes HEP from capture agents: over UDP a packet a datagram, over TCP and TLS one after another. */
export class HepListener {
  private readonly sockets = new Set<Socket>();
  private readonly udp: UdpSocket;
  private readonly tcp: Server;
  private readonly secure: Server | undefined;

  private constructor(private readonly options: HepListenerOptions) {
    const { host, tls } = options;
    this.udp = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER });
    this.udp.on('message', (bytes, { address }) => this.take(bytes, address));
    this.tcp = createServer((socket) => this.follow(socket));
    this.secure = tls && createTlsServer({ cert: tls.cert, key: tls.key }, (socket) => this.follow(socket));
    for (const server of this.servers) server.maxConnections = MAX_CONNECTIONS;
  }

  /** Rejects when a port cannot be opened. */
  static async start(options: HepListenerOptions, tries = 10): Promise<HepListener> {
    const listener = new HepListener(options);
    try {
      await listener.open();
      return listener;
    } catch (error) {
      await listener.stop();
      // The port that the system chose for TCP may be somebody's for UDP.
      if (options.port === 0 && tries > 1) return HepListener.start(options, tries - 1);
      throw error;
    }
  }

  get port(): number {
    return this.udp.address().port;
  }

  /** 0 where TLS is not asked for. */
  get tlsPort(): number {
    return this.secure ? portOf(this.secure) : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([this.udp, ...this.servers].map(closed));
  }

  private get servers(): readonly Server[] {
    return this.secure ? [this.tcp, this.secure] : [this.tcp];
  }

  private async open(): Promise<void> {
    const { host, port, tls } = this.options;
    this.tcp.listen(port, host);
    await once(this.tcp, 'listening');
    this.udp.bind(portOf(this.tcp), host);
    await once(this.udp, 'listening');
    if (!this.secure) return;
    this.secure.listen(tls?.port, host);
    await once(this.secure, 'listening');
  }

  private follow(socket: Socket): void {
    this.sockets.add(socket);
    const from = socket.remoteAddress ?? '';
    const stream = new HepStream();
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const packet of stream.push(bytes)) this.take(packet, from);
      } catch (error) {
        this.refuse(error, from);
        socket.destroy();
      }
    });
    // The close that follows an error is all that matters of it.
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }

  private take(bytes: Buffer, from: string): void {
    let packet: CapturedPacket;
    try {
      packet = readHep(bytes, this.options);
    } catch (error) {
      return this.refuse(error, from);
    }
    this.options.onPacket(packet, bytes);
  }

  private refuse(error: unknown, from: string): void {
    if (!(error instanceof HepError)) throw error;
    this.options.onRefused(error.problem, error.message, from);
  }
}

function portOf(server: Server): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return (server.address() as AddressInfo).port;
}

/** Also of what never was open. */
function closed(each: UdpSocket | Server): Promise<void> {
  return new Promise((resolve) => {
    if (each instanceof Server) each.close(() => resolve());
    else each.close(() => resolve());
  });
}
