import { RateLimitedLog, type Logger, type Metrics } from '@ringdown/observability';
import { setting, type Network } from '@ringdown/settings';
import type { Server, Socket } from 'node:net';
import { ConnectionsByAddress } from './connections-by-address.js';
import { NetworkList } from './network-list.js';

export const connectionLimitSettings = {
  maxConnections: setting.integer('WEB_MAX_CONNECTIONS', {
    task: 'limits',
    default: 20_000,
    min: 1,
    max: 1_000_000,
    about:
      'Maximum number of client connections at the same time; further ones are closed at once. Less if the process may open fewer files (ulimit -n)',
  }),
  connectionsPerAddress: setting.integer('WEB_CONNECTIONS_PER_ADDRESS', {
    task: 'limits',
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'Maximum number of connections from one address (IPv6: one /64) that is not in TRUSTED_PROXIES',
  }),
};

export interface ConnectionLimitsOptions {
  readonly maxConnections: number;
  readonly connectionsPerAddress: number;
  /** Proxies: addresses from which the connections of many clients come. */
  readonly trustedProxies?: readonly Network[] | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Closes connections beyond a number, of one address and of all, on the ports that it follows. */
export class ConnectionLimits {
  private readonly open: ConnectionsByAddress;
  private readonly line = new RateLimitedLog();
  private readonly proxies: NetworkList;
  private readonly refused;

  constructor(private readonly options: ConnectionLimitsOptions) {
    this.open = new ConnectionsByAddress(options.connectionsPerAddress);
    this.proxies = new NetworkList(options.trustedProxies);
    this.refused = options.metrics.counter(
      'http_connections_refused_total',
      'Connections closed at once, because there were too many of all or of one address',
      ['of'],
    );
  }

  follow(server: Server): void {
    server.maxConnections = this.options.maxConnections;
    server.on('drop', () => this.refuse('all'));
    server.on('connection', (socket: Socket) => this.count(socket));
  }

  private count(socket: Socket): void {
    const { remoteAddress } = socket;
    // Without an address it is closed already.
    if (remoteAddress === undefined || this.proxies.has(remoteAddress)) return;
    if (this.open.add(socket, remoteAddress)) return;
    this.refuse('address', remoteAddress);
    socket.destroy();
  }

  private refuse(of: 'all' | 'address', remoteAddress?: string): void {
    this.refused.inc({ of });
    const name = of === 'all' ? 'WEB_MAX_CONNECTIONS' : 'WEB_CONNECTIONS_PER_ADDRESS';
    this.line.log((leftOut) =>
      this.options.logger.warn({ setting: name, remoteAddress, leftOut }, 'too many connections; one was closed'),
    );
  }
}
