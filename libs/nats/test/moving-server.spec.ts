import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MovingUrl } from '../src/bus-login.js';
import { Bus } from '../src/index.js';

const NOWHERE = 'nats://127.0.0.1:1';
/** Which of its two addresses a connection tries first is random. */
const CONNECTIONS = 8;

describe('connections to a server that moves after a crash', () => {
  const started = new Started();
  afterAll(() => started.stopAll());

  it('reach it at its new address, whatever listens on the old one before the crash is known', async () => {
    const { buses, address, squatter } = await afterCrash();
    await eventually('all have tried again', () => squatter.connections > 0 || address.looks >= 4 * CONNECTIONS);
    address.move(NOWHERE);
    const next = await aServer();
    address.isRunning = true;
    address.move(next.url);
    await eventually('all are connected again', () => buses.every(isConnected));
    for (const bus of buses) await expect(bus.jsm.getAccountInfo()).resolves.toBeDefined();
    expect(squatter.connections).toBe(0);
  });

  it('leave another program that they have reached on the old port as soon as it moves', async () => {
    const { buses, address, squatter } = await afterCrash({ seemsToRun: true });
    await eventually('all have reached the other program', () => squatter.connections >= CONNECTIONS);
    address.isRunning = false;
    address.move(NOWHERE);
    const next = await aServer();
    address.isRunning = true;
    address.move(next.url);
    for (const bus of buses) await expect(eventuallyAnswers(bus)).resolves.toBe(true);
  });

  async function aServer(): Promise<TestNats> {
    return started.add(await startNats({ folder: mkdtempSync(join(tmpdir(), 'ringdown-moving-')) }));
  }

  /** Connections whose server was killed, and another program on its port; nobody has seen its end yet. */
  async function afterCrash({ seemsToRun = false } = {}): Promise<Crash> {
    const first = await aServer();
    const address = new Address(first.url);
    const buses: Bus[] = [];
    for (let index = 0; index < CONNECTIONS; index++) {
      const bus = await Bus.connect({ url: address, name: 'test', logger: quietLogger() });
      started.add({ stop: () => bus.close() });
      buses.push(bus);
    }
    address.isRunning = seemsToRun;
    await first.kill();
    const squatter = started.add(await Squatter.on(Number(new URL(first.url).port)));
    return { buses, address, squatter };
  }
});

interface Crash {
  readonly buses: readonly Bus[];
  readonly address: Address;
  readonly squatter: Squatter;
}

/** Requests to the other program are not answered. */
function eventuallyAnswers({ jsm }: Bus): Promise<boolean> {
  const isAnswered = (): Promise<boolean> =>
    jsm.getAccountInfo().then(
      () => true,
      () => false,
    );
  return eventually('an answer', isAnswered);
}

function isConnected(bus: Bus): boolean {
  try {
    bus.assertConnected();
    return true;
  } catch {
    return false;
  }
}

class Address implements MovingUrl {
  isRunning = true;
  /** How often it was asked whether it runs. */
  looks = 0;
  private readonly listeners = new Set<() => void>();

  constructor(public current: string) {}

  isUp(): boolean {
    this.looks++;
    return this.isRunning;
  }

  onMove(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  move(address: string): void {
    this.current = address;
    for (const moved of this.listeners) moved();
  }
}

/** Another user of the machine, who pretends to be the server that clients expect. */
class Squatter {
  connections = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections++;
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => chunk.includes('PING') && socket.write('PONG\r\n'));
      socket.write(`INFO {"server_id":"X","version":"2.10.27","headers":true,"jetstream":true,"nonce":"abc"}\r\n`);
    });
  }

  static async on(port: number): Promise<Squatter> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    return new Squatter(server);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
