import { fitConnections, fitPerAddress, isLoopback } from '@ringdown/node-http';
import { collectorSettings, type Settings } from '../settings.js';
import { openFeedListener, type FeedListener, type FeedListenerOptions } from './feed-listener.js';
import { FeedTls } from './feed-tls.js';

/** The ports of the feed: plain HTTP, HTTPS, or both (ADR 0023). */
export class FeedListeners {
  private readonly listeners: FeedListener[] = [];
  private readonly tls: FeedTls | undefined;

  constructor(private readonly options: FeedListenerOptions) {
    const { settings, logger } = options;
    this.tls = settings.httpsPort === undefined ? undefined : new FeedTls(settings, logger);
  }

  /** Scheme, host and port of each listener. */
  get address(): string {
    return this.listeners.map(({ address }) => address).join(' and ');
  }

  /** Rejects when a port is in use; {@link close} closes those that are already open. */
  async open(): Promise<void> {
    const { plainHttp, collectorPort, httpsPort } = this.options.settings;
    const options = this.withFittingLimit();
    if (plainHttp === 'on') this.listeners.push(await openFeedListener(options, collectorPort));
    if (httpsPort !== undefined) this.listeners.push(await openFeedListener(options, httpsPort, this.tls));
    this.warnOfRefusedNetworks();
  }

  /** Replies to requests in progress first. */
  async close(): Promise<void> {
    this.tls?.close();
    await Promise.all(this.listeners.splice(0).map((listener) => listener.close()));
  }

  /** All ports together accept fewer connections than this process may have descriptors. */
  private withFittingLimit(): FeedListenerOptions {
    const { settings, logger } = this.options;
    const { env: setting } = collectorSettings.maxConnections;
    const ports = portsOf(settings);
    const { perPort, reduced } = fitConnections([{ setting, perPort: settings.maxConnections, ports }]);
    if (reduced !== undefined) logger[reduced.isSerious ? 'warn' : 'info'](reduced.line);
    const maxConnections = perPort[setting] ?? settings.maxConnections;
    const { maxConnectionsPerAddress: perAddress } = settings;
    const maxConnectionsPerAddress = fitPerAddress(perAddress, settings.maxConnections, maxConnections);
    return { ...this.options, settings: { ...settings, maxConnections, maxConnectionsPerAddress } };
  }

  /**
   * Before 1.0 every address was accepted: after an upgrade without the setting, front ends with public addresses are
   * rejected.
   */
  private warnOfRefusedNetworks(): void {
    const { allowedNetworks, collectorHost, clientCa, plainHttp } = this.options.settings;
    const isOpenToOthers = allowedNetworks !== undefined || isLoopback(collectorHost);
    if (isOpenToOthers || (plainHttp === 'off' && clientCa !== undefined)) return;
    this.options.logger.warn(
      'the feed accepts records from this machine and private networks only; COLLECTOR_ALLOW lists other networks',
    );
  }
}

function portsOf({ plainHttp, httpsPort }: Settings): number {
  return (plainHttp === 'on' ? 1 : 0) + (httpsPort === undefined ? 0 : 1);
}
