import { freePort } from '@ringdown/embedded';
import { ALL_POWERFUL, ALL_POWERFUL_PEOPLE, makeBusKeys, natsConfig, natsUrl } from '@ringdown/embedded/bus';
import { connect } from 'node:net';
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { BUS_PASSWORD } from '../bus-password.js';
import type { TestNats } from '../servers/nats.js';
import { killContainer, startAgain, TEST_LABELS } from './container-life.js';

const CONFIG = '/tmp/ringdown-nats.conf';

export async function natsContainer(): Promise<TestNats> {
  const image = process.env['RINGDOWN_NATS_IMAGE'] ?? 'nats:2.12-alpine';
  const port = await freePort();
  const keys = makeBusKeys();
  const lines = ['jetstream { store_dir: "/data", sync_interval: always }'];
  const content = natsConfig({ listen: '0.0.0.0:4222', keys, password: BUS_PASSWORD, lines });
  const container: StartedTestContainer = await new GenericContainer(image)
    .withLabels(TEST_LABELS)
    .withCopyContentToContainer([{ content, target: CONFIG }])
    .withCommand(['--config', CONFIG])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    url: natsUrl(ALL_POWERFUL, BUS_PASSWORD, `${container.getHost()}:${port}`),
    peopleUrl: natsUrl(ALL_POWERFUL_PEOPLE, BUS_PASSWORD, `${container.getHost()}:${port}`),
    urlOf: (service) => natsUrl(service, BUS_PASSWORD, `${container.getHost()}:${port}`),
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
