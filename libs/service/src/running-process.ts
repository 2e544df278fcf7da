import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bus, type BusUrl } from '@ringdown/nats';
import type { Health, Logger, Metrics } from '@ringdown/observability';
import { whenReachable } from './when-reachable.js';

export interface RunningProcessOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** STATE_MAX_BYTES: the maximum size of the buckets with state together. */
  readonly stateMaxBytes?: number;
  /** BUS_REPLICAS. */
  readonly busReplicas?: number | undefined;
  /** Settings of each service by its name, as read. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Aborted when the process is to stop while it still waits for the bus. */
  readonly stopping?: AbortSignal | undefined;
  /** Address of the bus for a service, with the key of that service if there is one. */
  readonly busOf: (service: string) => BusUrl;
}

/** What the services of one process share, and what belongs to each: settings and a connection to the bus. */
export class RunningProcess {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  private readonly refusedWrites;
  private readonly unreadableEntries;
  private readonly connections = new Map<string, Promise<Bus>>();
  private readonly connected: Bus[] = [];
  /** Why a service is not connected yet, by its name. */
  private readonly waiting = new Map<string, string>();

  constructor(private readonly options: RunningProcessOptions) {
    const { logger, metrics, health } = options;
    this.logger = logger;
    this.metrics = metrics;
    this.health = health;
    const about = 'Writes that a full bucket has rejected';
    this.refusedWrites = metrics.counter('bus_refused_writes_total', about, ['bucket']);
    const leftOut = 'Entries of buckets that were left out because they cannot be read';
    this.unreadableEntries = metrics.counter('bus_unreadable_entries_total', leftOut, ['bucket']);
    health.add('bus', () => {
      for (const reason of this.waiting.values()) throw new Error(reason);
      for (const bus of this.connected) bus.assertConnected();
    });
  }

  settingsOf(service: string): unknown {
    const settings = this.options.settings[service];
    if (settings === undefined) throw new Error(`no settings for the service ${service} in this process`);
    return settings;
  }

  /** The one connection of a service; opened at the first call. */
  busOf(service: string): Promise<Bus> {
    const known = this.connections.get(service);
    if (known !== undefined) return known;
    const connecting = this.connect(service);
    this.connections.set(service, connecting);
    return connecting;
  }

  async closeConnections(): Promise<void> {
    await Promise.allSettled(this.connections.values());
    await Promise.all(this.connected.map((bus) => bus.close()));
  }

  private async connect(service: string): Promise<Bus> {
    const { stateMaxBytes, busReplicas: replicas } = this.options;
    const url = this.options.busOf(service);
    const connect = (): Promise<Bus> =>
      Bus.connect({
        url,
        name: `ringdown ${service}`,
        logger: this.logger,
        limits: bucketLimits(stateMaxBytes),
        replicas,
        onFull: (bucket) => this.refusedWrites.inc({ bucket }),
        onUnreadable: (bucket) => this.unreadableEntries.inc({ bucket }),
      });
    const { logger } = this;
    const onWait = (reason: string): unknown => this.waiting.set(service, reason);
    const bus = await whenReachable(connect, { logger, stopping: this.options.stopping, onWait });
    this.waiting.delete(service);
    this.connected.push(bus);
    return bus;
  }
}
