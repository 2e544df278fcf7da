import type { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import type { NatsCluster } from '@ringdown/testing/servers/nats-cluster';

type StreamInfo = Awaited<ReturnType<Bus['jsm']['streams']['info']>>;

export const REPLICAS = 3;
const CATCH_UP_MS = 30_000;

/** What a cluster reports of its streams, and what an operator does about replicas that stay behind. */
export class BusReplicas {
  /** Restarts of servers that did not catch up. */
  restarted = 0;

  constructor(
    private readonly bus: Bus,
    private readonly cluster: Pick<NatsCluster, 'kill' | 'restart'>,
  ) {}

  names(): Promise<string[]> {
    return this.bus.jsm.streams.names().next();
  }

  async replicasOf(stream: string): Promise<number> {
    return (await this.bus.jsm.streams.info(stream)).config.num_replicas;
  }

  leaderOf(stream: string): Promise<string> {
    return eventually(`the leader of ${stream}`, async () => (await this.infoOf(stream))?.cluster?.leader || undefined);
  }

  /**
   * Resolves when all replicas have everything. After a restart of nats-server 2.10.27, its leader sometimes hears
   * nothing of it until its next restart, although it stores everything: restarted as an operator would.
   */
  async catchUp(stream: string): Promise<void> {
    let patientUntil = Date.now() + CATCH_UP_MS;
    const isDone = async (): Promise<boolean> => {
      const late = await this.behind(stream);
      if (late?.length === 0) return true;
      const [name] = late ?? [];
      // The leader needs one of the others.
      if (name === undefined || late?.length !== 1 || Date.now() < patientUntil) return false;
      this.restarted++;
      await this.cluster.kill(name);
      await this.cluster.restart(name);
      patientUntil = Date.now() + CATCH_UP_MS;
      return false;
    };
    await eventually(`the replicas of ${stream}`, isDone, 300_000);
  }

  async catchUpAll(): Promise<void> {
    for (const name of await this.names()) await this.catchUp(name);
  }

  /** Undefined while no server answers for the stream. */
  private infoOf(stream: string): Promise<StreamInfo | undefined> {
    return this.bus.jsm.streams.info(stream).catch(() => undefined);
  }

  /** Servers that the leader does not report as current; undefined while there is no leader. */
  private async behind(stream: string): Promise<readonly string[] | undefined> {
    const { leader: name, replicas = [] } = (await this.infoOf(stream))?.cluster ?? {};
    if (!name || replicas.length < REPLICAS - 1) return undefined;
    return replicas.filter(({ current, offline }) => !current || offline).map((replica) => replica.name);
  }
}
