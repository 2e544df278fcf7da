import type { ClusterSystem, ServiceName } from './cluster-system.js';
import { SMALL_NODE } from './cluster-system.js';

/** Something that breaks; what it returns repairs it. */
export interface Fault {
  readonly name: string;
  /** Part of the short form. */
  readonly isShort: boolean;
  strike(system: ClusterSystem, round: number): Promise<() => Promise<void>>;
}

export const FAULTS: readonly Fault[] = [
  killOf('collector', false),
  killOf('aggregator', true),
  killOf('application-people', true),
  killOf('discovery-auth', false),
  killOf('subscribers', false),
  {
    name: 'kill of the primary PostgreSQL; the standby is promoted',
    isShort: true,
    strike: (system) => system.failOver(),
  },
  {
    name: 'kill of the standby PostgreSQL',
    isShort: false,
    strike: async ({ databases: [, standby] }) => {
      await standby.kill();
      return () => standby.launch();
    },
  },
  {
    name: 'a nats-server cut off from all others, each in turn',
    isShort: false,
    strike: async ({ network, bus, replicas }, round) => {
      const name = inTurn(bus.names, round);
      await network.cut(name);
      return async () => {
        await network.join(name);
        await replicas.catchUpAll();
      };
    },
  },
  {
    name: 'full disk of a nats-server',
    isShort: false,
    strike: ({ disk, bus, replicas }) => {
      disk.fill();
      return Promise.resolve(async () => {
        disk.freeSpace();
        // A server that could not write does not respond for its streams until it is restarted.
        await bus.kill(SMALL_NODE);
        await bus.restart(SMALL_NODE);
        await replicas.catchUpAll();
      });
    },
  },
  {
    name: 'kill -9 of a nats-server, each in turn',
    isShort: true,
    strike: async ({ bus, replicas }, round) => {
      const name = inTurn(bus.names, round);
      await bus.kill(name);
      return async () => {
        await bus.restart(name);
        await replicas.catchUpAll();
      };
    },
  },
];

function killOf(service: ServiceName, isShort: boolean): Fault {
  return {
    name: `kill -9 of one of two: ${service}`,
    isShort,
    strike: async ({ services }, round) => {
      const process = inTurn(services[service], round);
      await process.kill();
      return () => process.launch();
    },
  };
}

function inTurn<T>(all: readonly T[], round: number): T {
  const one = all[round % all.length];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}
