import { freePort } from '@ringdown/embedded';
import {
  ALL_POWERFUL_PEOPLE,
  makeBusKeys,
  natsUrl,
  startNatsServer,
  type BusUserName,
  type EmbeddedNats,
  type NatsKey,
} from '@ringdown/embedded/bus';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUS_PASSWORD } from '../bus-password.js';
import { place } from '../place.js';
import { quietLogger } from '../quiet-logger.js';

/** A NATS server with JetStream on disk, for one test file. */
export interface TestNats {
  /** For the test itself, with all permissions in the account of the feed. */
  readonly url: string;
  /** The same in the account of people: discovery-auth and application-people. */
  readonly peopleUrl: string;
  /** For a service under test, with the permissions of production. */
  urlOf(service: BusUserName): string;
  /** The key that it uses in production instead of a password. */
  keyOf(service: BusUserName): NatsKey;
  /** Ends it like a crash; acknowledged messages are kept. */
  kill(): Promise<void>;
  /** Restarts it at the same address with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** `folder`: where it stores its files; it is then always a process of this machine. */
export async function startNats({ folder }: { readonly folder?: string } = {}): Promise<TestNats> {
  if (place() === 'containers' && folder === undefined) {
    // Only here: loading testcontainers takes most test files longer than their tests.
    const { natsContainer } = await import('../containers/nats-container.js');
    return natsContainer();
  }
  return natsProcess(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-nats-')));
}

async function natsProcess(folder: string): Promise<TestNats> {
  const port = await freePort();
  const keys = makeBusKeys();
  const start = (): Promise<EmbeddedNats> =>
    startNatsServer({ folder, port, keys, logger: quietLogger(), password: BUS_PASSWORD });
  let server = await start();
  return {
    url: server.url,
    peopleUrl: natsUrl(ALL_POWERFUL_PEOPLE, BUS_PASSWORD, `127.0.0.1:${port}`),
    urlOf: (service) => natsUrl(service, BUS_PASSWORD, `127.0.0.1:${port}`),
    keyOf: (service) => keys[service],
    kill: () => server.stop('SIGKILL'),
    restart: async () => {
      server = await start();
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
