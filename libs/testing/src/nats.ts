import { freePort, startNatsServer, type EmbeddedNats } from '@ringdown/embedded';
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
  readonly url: string;
  /** Ends it as a crash would; what was acknowledged stays. */
  kill(): Promise<void>;
  /** Brings it back at the same address with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** `folder`: where it keeps its files, for a process of this machine wherever the others run. */
export function startNats({ folder }: { readonly folder?: string } = {}): Promise<TestNats> {
  if (place() === 'containers' && folder === undefined) return natsContainer();
  return natsProcess(folder ?? mkdtempSync(join(tmpdir(), 'ringdown-nats-')));
}

async function natsProcess(folder: string): Promise<TestNats> {
  const port = await freePort();
  const start = (): Promise<EmbeddedNats> => startNatsServer({ folder, port, logger: quietLogger(), password: 'test' });
  let server = await start();
  return {
    url: server.url,
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
  const container: StartedTestContainer = await new GenericContainer(image)
    .withLabels(TEST_LABELS)
    .withCommand(['--jetstream', '--store_dir', '/data', '--user', 'ringdown', '--pass', 'test'])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    url: `nats://ringdown:test@${container.getHost()}:${port}`,
    kill: () => killContainer(container),
    restart: () => startAgain(container, () => greets(container.getHost(), port)),
    stop: async () => void (await container.stop({ remove: true, removeVolumes: true })),
  };
}

/** A NATS server speaks first. A port that merely accepts may be Docker's proxy in front of a server not up yet. */
function greets(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  socket.setTimeout(1_000, () => socket.destroy());
  return new Promise((resolve) => {
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    // The close that follows an error is the answer.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(false));
  });
}
