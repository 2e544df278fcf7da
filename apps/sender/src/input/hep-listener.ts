import { listenReason } from '@ringdown/observability';
import type { Followed } from '@ringdown/settings';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { isNativeError } from 'node:util/types';
import type { CapturedPacket } from '../hep/captured-packet.js';
import { HepError, type HepProblem } from '../hep/hep-error.js';
import { HepStream } from '../hep/hep-stream.js';
import { readHep, type HepOptions } from '../hep/read-hep.js';
import type { KeyPair } from '../pem-file.js';

export interface HepListenerOptions extends HepOptions {
  readonly host: string;
  /** For UDP and for TCP; 0 lets the system choose. */
  readonly port: number;
  readonly tls?: { readonly port: number; readonly pair: Followed<KeyPair> };
  /** `bytes`: as they came, for the log of input. */
  readonly onPacket: (packet: CapturedPacket, bytes: Buffer) => void;
  readonly onRefused: (problem: HepProblem, message: string, from: string) => void;
}

/** Room for what comes while the sender is busy with something else; the system may grant less. */
const UDP_BUFFER = 8 * 1_024 * 1_024;
const MAX_CONNECTIONS = 256;
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE';
/** About as many as are read in the time that a collector takes for one step. */
const PACKETS_A_TURN = 4;

/** Takes HEP from capture agents: over UDP a packet a datagram, over TCP and TLS one after another. */
export class HepListener {
  private readonly sockets = new Set<Socket>();
  private readonly udp: UdpSocket;
  private readonly tcp: Server;
  private readonly secure: Server | undefined;
  private isStopped = false;

  private constructor(private readonly options: HepListenerOptions) {
    const { host, tls } = options;
    this.udp = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER });
    this.udp.on('message', (bytes, { address }) => this.take(bytes, address));
    this.tcp = createServer((socket) => this.follow(socket));
    this.secure = tls && secureServer(tls.pair, (socket) => this.follow(socket));
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
    this.isStopped = true;
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([this.udp, ...this.servers].map(closed));
  }

  private get servers(): readonly Server[] {
    return this.secure ? [this.tcp, this.secure] : [this.tcp];
  }

  private async open(): Promise<void> {
    const { host, port, tls } = this.options;
    await opened('HEP_PORT', this.tcp.listen(port, host), { port, host });
    await opened('HEP_PORT', this.udp.bind(portOf(this.tcp), host), { port, host });
    if (this.secure && tls) await opened('HEP_TLS_PORT', this.secure.listen(tls.port, host), { port: tls.port, host });
  }

  private follow(socket: Socket): void {
    this.sockets.add(socket);
    // The close that follows an error is all that matters of it.
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const from = socket.remoteAddress ?? '';
    this.takeAll(socket, from).catch((error: unknown) => {
      // An agent may break off; whatever else is no HEP is a mistake of ours.
      if (!isBrokenOff(socket, error)) this.refuse(error, from);
    });
  }

  /** A flood of packets leaves turns for the rest of the sender, so that records leave while packets come. */
  private async takeAll(socket: Socket, from: string): Promise<void> {
    const stream = new HepStream();
    let taken = 0;
    for await (const bytes of socket) {
      for (const packet of stream.push(Buffer.from(bytes))) {
        if (this.isStopped) return;
        this.take(packet, from);
        if (++taken % PACKETS_A_TURN === 0) await nextTurn();
      }
    }
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

function isBrokenOff(socket: Socket, error: unknown): boolean {
  return error === socket.errored || (isNativeError(error) && 'code' in error && error.code === PREMATURE_CLOSE);
}

/** `setting`: of the operator who is to mend it when it cannot be opened. */
async function opened(setting: string, socket: UdpSocket | Server, at: { port: number; host: string }): Promise<void> {
  try {
    await once(socket, 'listening');
  } catch (error) {
    throw new Error(`${listenReason(error, at.port, at.host)} (${setting}, HEP_HOST)`, { cause: error });
  }
}

/** Its pair may change while it listens. */
function secureServer(pair: Followed<KeyPair>, onSocket: (socket: Socket) => void): Server {
  const server = createTlsServer({ cert: pair.current.cert, key: pair.current.key }, onSocket);
  pair.onChange(({ cert, key }) => server.setSecureContext({ cert, key }));
  return server;
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
