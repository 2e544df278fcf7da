import {
  ALL_POWERFUL,
  freePort,
  makeBusKeys,
  natsConfig,
  natsUrl,
  startNatsServer,
  type BusUserName,
  type EmbeddedNats,
  type NatsKey,
} from '@ringdown/embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { killContainer, startAgain, TEST_LABELS } from './container-life.js';
import { place } from './place.js';
import { quietLogger } from './quiet-logger.js';

/** A NATS server with JetStream on disk, for one test file. */
export interface TestNats {
  /** For the test itself, with all permissions. */
  readonly url: string;
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

const PASSWORD = 'test';
const CONFIG = '/tmp/ringdown-nats.conf';

/** `folder`: where it stores its files; it is then always a process of this machine. */
export function startNats({ folder }: { readonly folder?: string } = {}): Promise<TestNats> {
  if (place() === 'containers' && folder === undefined) return natsContainer();
  return natsProcess(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-nats-')));
}

async function natsProcess(folder: string): Promise<TestNats> {
  const port = await freePort();
  const keys = makeBusKeys();
  const start = (): Promise<EmbeddedNats> =>
    startNatsServer({ folder, port, keys, logger: quietLogger(), password: PASSWORD });
  let server = await start();
  return {
    url: server.url,
    urlOf: (service) => natsUrl(service, PASSWORD, `127.0.0.1:${port}`),
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

async function natsContainer(): Promise<TestNats> {
  const image = process.env['RINGDOWN_NATS_IMAGE'] ?? 'nats:2.12-alpine';
  const port = await freePort();
  const keys = makeBusKeys();
  const lines = ['jetstream { store_dir: "/data", sync_interval: always }'];
  const content = natsConfig({ listen: '0.0.0.0:4222', keys, password: PASSWORD, lines });
  const container: StartedTestContainer = await new GenericContainer(image)
    .withLabels(TEST_LABELS)
    .withCopyContentToContainer([{ content, target: CONFIG }])
    .withCommand(['--config', CONFIG])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    url: natsUrl(ALL_POWERFUL, PASSWORD, `${container.getHost()}:${port}`),
    urlOf: (service) => natsUrl(service, PASSWORD, `${container.getHost()}:${port}`),
    keyOf: (service) => keys[service],
    kill: () => killContainer(container),
    restart: () => startAgain(container, () => greets(container.getHost(), port)),
    stop: async () => void (await container.stop({ remove: true, removeVolumes: true })),
  };
}

/**
 * A NATS server sends first. A port that only accepts connections may be Docker's proxy of a server that is not ready.
 */
function greets(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  socket.setTimeout(1_000, () => socket.destroy());
  return new Promise((resolve) => {
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    // The close event that follows an error gives the result.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(false));
  });
}
