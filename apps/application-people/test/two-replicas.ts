import { TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { tokenHash } from '@ringdown/token-validation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChannelStore } from '../src/events/channel-store.js';
import { EventChannels } from '../src/events/event-channels.js';
import {
  guestTokenOf,
  startApplicationPeople,
  startDiscoveryAuth,
  fetchUserToken,
  writePeople,
  type RunningService,
  type Staff,
} from './running-services.js';
import { WebClient } from './web-client.js';

/** The service as it runs in a deployment: twice, on one NATS, beside the token service. */
export class TwoReplicas {
  private constructor(
    private readonly started: Started,
    private readonly env: Readonly<Record<string, string>>,
    readonly nats: TestNats,
    private auth: RunningService,
    readonly replicas: [RunningService, RunningService],
  ) {}

  static async start(staff: readonly Staff[], settings: Readonly<Record<string, string>> = {}): Promise<TwoReplicas> {
    const started = new Started();
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-replicas-'));
    started.add({ stop: async () => rmSync(folder, { recursive: true, force: true }) });
    const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder, ...settings };
    try {
      await writePeople(env.PEOPLE_FILE, staff);
      const nats = started.add(await startNats());
      const auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
      const replica = async (): Promise<RunningService> =>
        started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
      return new TwoReplicas(started, env, nats, auth, [await replica(), await replica()]);
    } catch (error) {
      await started.stopAll();
      throw error;
    }
  }

  /** A signed-in user, who is connected to the first replica. */
  async user(name: string): Promise<WebClient> {
    return new WebClient(this.replicas[0].base, await fetchUserToken(this.auth.base, name));
  }

  /** A guest of this meeting, connected to the first replica. */
  async guest(meeting: object, renewed?: string): Promise<WebClient> {
    return new WebClient(this.replicas[0].base, await guestTokenOf(this.auth.base, meeting, renewed));
  }

  /** The URL at the other replica for a client of the first. */
  get other(): string {
    return this.replicas[1].base;
  }

  /** A connection to the bus like that of a replica. */
  async bus(): Promise<Bus> {
    const bus = await Bus.connect({ url: this.nats.peopleUrl, name: 'test', logger: quietLogger() });
    this.started.add({ stop: () => bus.close() });
    return bus;
  }

  /** Revokes a token as the token service does. */
  async revoke({ token }: WebClient): Promise<void> {
    const bus = await this.bus();
    const hash = tokenHash(token);
    await bus.js.publish(`$KV.TOKENS.${hash}`, JSON.stringify({ username: '', issuedAt: 0, expiresAt: 0 }));
    bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: hash });
  }

  /** The event channels as a third replica has them, to append events like other modules do. */
  async channels(): Promise<EventChannels> {
    const logger = quietLogger();
    const bus = await this.bus();
    const channels = new EventChannels({ store: await ChannelStore.open(bus), bus, logger, metrics: new Metrics() });
    this.started.add({ stop: () => channels.close() });
    return channels;
  }

  /** Stops one replica and starts it again, at another address. */
  async restart(replica: 0 | 1): Promise<void> {
    await this.replicas[replica].stop();
    this.replicas[replica] = this.started.add(
      await startApplicationPeople(this.nats.urlOf('application-people'), this.env),
    );
  }

  /** Everything stops, the bus by a crash, and starts again. */
  async restartAll(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
    await this.auth.stop();
    await this.nats.kill();
    await this.nats.restart();
    this.auth = this.started.add(await startDiscoveryAuth(this.nats.urlOf('discovery-auth'), this.env));
    for (const replica of [0, 1] as const) await this.restart(replica);
  }

  stop(): Promise<void> {
    return this.started.stopAll();
  }
}
