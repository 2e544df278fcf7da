import { ConnectionsByAddress } from '@ringdown/node-http';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { Server, Socket } from 'node:net';
import type { CollectorMetrics } from './collector-metrics.js';
import type { ProxyLines } from './proxy-lines.js';

export interface ConnectionGateOptions {
  /** Defined when a load balancer in front sends the client address of its connections. */
  readonly proxyLines: ProxyLines | undefined;
  readonly maxPerAddress: number;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
}

/** What a connection must pass before the server sees it: the balancer's line, and the limit of its address. */
export class ConnectionGate {
  private readonly connections: ConnectionsByAddress;
  private readonly line = new RateLimitedLog();

  constructor(private readonly options: ConnectionGateOptions) {
    this.connections = new ConnectionsByAddress(options.maxPerAddress);
  }

  /**
   * The server's current connection listeners are called only for connections that have passed. `open`: decides when, by calling `accept`.
   */
  guard(server: Server, open: (socket: Socket, accept: (socket: Socket) => void) => void): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    const accept = (socket: Socket): void => {
      for (const listener of listeners) Reflect.apply(listener, server, [socket]);
    };
    const pass = (socket: Socket): void => {
      if (this.isWithinLimit(socket)) open(socket, accept);
    };
    const { proxyLines } = this.options;
    if (proxyLines === undefined) server.on('connection', pass);
    else {
      server.on('connection', (socket: Socket) =>
        proxyLines.read(socket, (error) => {
          if (error) server.emit('clientError', error, socket);
          else pass(socket);
        }),
      );
    }
  }

  private isWithinLimit(socket: Socket): boolean {
    const { proxyLines, metrics, logger } = this.options;
    const remoteAddress = proxyLines?.addressOf(socket) ?? socket.remoteAddress ?? '';
    if (this.connections.add(socket, remoteAddress)) return true;
    metrics.connectionDropped('address');
    this.line.log((leftOut) =>
      logger.warn(
        { remoteAddress, leftOut },
        'an address has the maximum number of connections (COLLECTOR_MAX_CONNECTIONS_PER_ADDRESS); new ones are dropped',
      ),
    );
    socket.destroy();
    return false;
  }
}
