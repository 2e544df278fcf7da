import { type CapturedPacket, HepError, type HepOptions, type HepProblem, HepStream, readHep } from '@ringdown/capture';
import { nodeErrorCode } from '@ringdown/errors';
import { listenReason } from '@ringdown/observability';
import type { Followed } from '@ringdown/settings';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyPair } from '@ringdown/feed-client';

export interface HepListenerOptions extends HepOptions {
  readonly host: string;
  /** For UDP and TCP; 0: chosen by the system. */
  readonly port: number;
  readonly tls?: { readonly port: number; readonly pair: Followed<KeyPair> };
  /** The most on each port over TCP. */
  readonly connections?: number;
  /** `bytes`: as received, for the input log. */
  readonly onPacket: (packet: CapturedPacket, bytes: Buffer) => void;
  readonly onRejected: (problem: HepProblem, message: string, from: string) => void;
  /** Whether each record is posted by itself, so that the next one waits for a reply which must not wait for packets. */
  readonly postsSingly?: () => boolean;
}

/** Receive buffer for packets that arrive while the sender is busy; the system may grant less. */
const UDP_BUFFER = 8 * 1_024 * 1_024;
/** On each port over TCP. */
export const MAX_HEP_CONNECTIONS = 256;
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE';
const PACKETS_PER_TURN = 32;
/** About as many as are read in the time that a collector needs for one step. */
const PACKETS_PER_TURN_WITH_SINGLE_POSTS = 4;

/** Receives HEP from capture agents: over UDP one packet per datagram, over TCP and TLS one after another. */
export class HepListener {
  private readonly sockets = new Set<Socket>();
  private readonly udp: UdpSocket;
  private readonly tcp: Server;
  private readonly secure: Server | undefined;
  private isStopped = false;

  private constructor(private readonly options: HepListenerOptions) {
    const { host, tls, connections = MAX_HEP_CONNECTIONS } = options;
    this.udp = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER });
    this.udp.on('message', (bytes, { address }) => this.receivePacket(bytes, address));
    this.tcp = createServer((socket) => this.onConnection(socket));
    this.secure = tls && secureServer(tls.pair, (socket) => this.onConnection(socket));
    for (const server of this.servers) server.maxConnections = connections;
  }

  /** Rejects when a port cannot be opened. */
  static async start(options: HepListenerOptions, tries = 10): Promise<HepListener> {
    const listener = new HepListener(options);
    try {
      await listener.open();
      return listener;
    } catch (error) {
      await listener.stop();
      // Another program may use the port for UDP that the system chose for TCP.
      if (options.port === 0 && tries > 1) return HepListener.start(options, tries - 1);
      throw error;
    }
  }

  get port(): number {
    return this.udp.address().port;
  }

  /** 0 without TLS. */
  get tlsPort(): number {
    return this.secure ? listenerPort(this.secure) : 0;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([this.udp, ...this.servers].map(closed));
  }

  private get servers(): readonly Server[] {
    return this.secure ? [this.tcp, this.secure] : [this.tcp];
  }

  private async open(): Promise<void> {
    const { host, port, tls } = this.options;
    await listening('HEP_PORT', this.tcp.listen(port, host), { port, host });
    await listening('HEP_PORT', this.udp.bind(listenerPort(this.tcp), host), { port, host });
    if (this.secure && tls)
      await listening('HEP_TLS_PORT', this.secure.listen(tls.port, host), { port: tls.port, host });
  }

  private onConnection(socket: Socket): void {
    this.sockets.add(socket);
    // The error is followed by "close", which is handled below.
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const from = socket.remoteAddress ?? '';
    this.receiveStream(socket, from).catch((error: unknown) => {
      // An agent may disconnect; an error other than HepError is a bug.
      if (!isDisconnect(socket, error)) this.reject(error, from);
    });
  }

  /** Yields to the event loop during a flood of packets, so that records are sent while packets arrive. */
  private async receiveStream(socket: Socket, from: string): Promise<void> {
    const stream = new HepStream();
    const chunks: AsyncIterable<Buffer> = socket;
    let received = 0;
    for await (const bytes of chunks) {
      for (const packet of stream.push(bytes)) {
        if (this.isStopped) return;
        this.receivePacket(packet, from);
        if (++received < this.packetsPerTurn) continue;
        received = 0;
        await yieldToEventLoop();
      }
    }
  }

  private get packetsPerTurn(): number {
    return this.options.postsSingly?.() ? PACKETS_PER_TURN_WITH_SINGLE_POSTS : PACKETS_PER_TURN;
  }

  private receivePacket(bytes: Buffer, from: string): void {
    let packet: CapturedPacket;
    try {
      packet = readHep(bytes, { ...this.options, receivedAt: Date.now() });
    } catch (error) {
      return this.reject(error, from);
    }
    this.options.onPacket(packet, bytes);
  }

  private reject(error: unknown, from: string): void {
    if (!(error instanceof HepError)) throw error;
    this.options.onRejected(error.problem, error.message, from);
  }
}

function isDisconnect(socket: Socket, error: unknown): boolean {
  return error === socket.errored || nodeErrorCode(error) === PREMATURE_CLOSE;
}

/** `setting`: the one that the operator has to change if the port cannot be opened. */
async function listening(
  setting: string,
  socket: UdpSocket | Server,
  at: { port: number; host: string },
): Promise<void> {
  try {
    await once(socket, 'listening');
  } catch (error) {
    throw new Error(`${listenReason(error, at.port, at.host)} (${setting}, HEP_HOST)`, { cause: error });
  }
}

/** The key pair may change while it listens. */
function secureServer(pair: Followed<KeyPair>, onSocket: (socket: Socket) => void): Server {
  const server = createTlsServer({ cert: pair.current.cert, key: pair.current.key }, onSocket);
  pair.onChange(({ cert, key }) => server.setSecureContext({ cert, key }));
  return server;
}

function listenerPort(server: Server): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return (server.address() as AddressInfo).port;
}

/** Also for a socket that was never open. */
function closed(each: UdpSocket | Server): Promise<void> {
  return new Promise((resolve) => {
    if (each instanceof Server) each.close(() => resolve());
    else each.close(() => resolve());
  });
}
