import { Controller, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { Bus } from '@ringdown/nats';
import { Health, Metrics } from '@ringdown/observability';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { REPLICA, RunningProcess, serviceProviders } from '@ringdown/service';
import { createWebApplication, type WebService } from '../src/index.js';

const SETTINGS = Symbol('settings');
const TEST = Symbol('test');
const OTHER = Symbol('other');
/** What was closed, in order, and whether the bus was still connected. */
let closed: string[] = [];

@Module({ providers: serviceProviders('test', SETTINGS), exports: [Bus, SETTINGS] })
class ContextModule implements OnApplicationShutdown {
  constructor(private readonly bus: Bus) {}

  onApplicationShutdown(): void {
    closed.push(`context, bus ${this.bus.connection.isClosed() ? 'closed' : 'open'}`);
  }
}

@Controller()
class Greetings {
  constructor(private readonly bus: Bus) {}

  @MessagePattern('test.greet', TEST)
  greet(@Payload() name: unknown): string {
    if (typeof name !== 'string') throw new Error('not a name');
    return `hello ${name}`;
  }

  @MessagePattern(`test.replica.${REPLICA}`, TEST)
  replica(): Promise<string> {
    return Promise.resolve(this.bus.replica);
  }

  @MessagePattern('test.of-another-service', OTHER)
  never(): never {
    throw new Error('this is not a handler of the service');
  }
}

@Module({ imports: [ContextModule], controllers: [Greetings] })
class FeatureModule implements OnApplicationShutdown {
  constructor(private readonly bus: Bus) {}

  onApplicationShutdown(): void {
    closed.push(`feature, bus ${this.bus.connection.isClosed() ? 'closed' : 'open'}`);
  }
}

@Module({ imports: [ContextModule, FeatureModule] })
class TestModule implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    closed.push('root');
  }
}

/** What happened while services started, in order. */
const started: string[] = [];

@Module({})
class EagerModule {
  constructor() {
    started.push('a module is built');
  }
}

function service(module: Type<unknown>): WebService {
  return { name: 'test', fields: {}, module, transportId: TEST, errorStyles: () => [] };
}

describe('a service composed of Nest modules', () => {
  let nats: TestNats;
  let client: Bus;
  beforeAll(async () => {
    nats = await startNats();
    client = await Bus.connect({ url: nats.url, name: 'client', logger: quietLogger() });
  });
  afterAll(async () => {
    await client.close();
    await nats.stop();
  });

  async function start(): Promise<{ readonly running: RunningProcess; readonly close: () => Promise<void> }> {
    const running = new RunningProcess({
      logger: quietLogger(),
      metrics: new Metrics(),
      health: new Health(),
      settings: { test: {} },
      busOf: () => nats.url,
    });
    const app = await createWebApplication({ services: [service(TestModule)], running });
    return { running, close: () => app.close() };
  }

  it('closes its modules from the root down, and its connection to the bus last', async () => {
    closed = [];
    const { running, close } = await start();
    const bus = await running.busOf('test');
    await close();
    expect(closed).toEqual(['root', 'feature, bus open', 'context, bus open']);
    expect(bus.connection.isClosed()).toBe(true);
  });

  it('prepares every service before a module of any is built', async () => {
    const running = new RunningProcess({
      logger: quietLogger(),
      metrics: new Metrics(),
      health: new Health(),
      settings: { first: {}, second: {} },
      busOf: () => nats.url,
    });
    const prepare = async (): Promise<void> => {
      await new Promise(setImmediate);
      started.push('prepared');
    };
    const services = ['first', 'second'].map((name) => ({
      ...service(EagerModule),
      name,
      ...(name === 'second' ? { prepare } : {}),
    }));
    const app = await createWebApplication({ services, running });
    await app.close();
    expect(started).toEqual(['prepared', 'a module is built']);
  });

  it('serves requests over its one connection, in JSON', async () => {
    const { close } = await start();
    expect(await client.request('test.greet', 'alice', 60_000)).toBe('hello alice');
    await close();
  });

  it('replies to an older service in the format of its request', async () => {
    const { close } = await start();
    const frame = JSON.stringify({ pattern: 'test.greet', id: '7', data: 'bob' });
    const reply = await client.connection.request('test.greet', frame, { timeout: 60_000 });
    expect(reply.json()).toEqual({ id: '7', response: 'hello bob', isDisposed: true });
    await close();
  });

  it('rejects a request at once when its handler fails, without the reason', async () => {
    const { close } = await start();
    await expect(client.request('test.greet', 7, 60_000)).rejects.toThrow(
      'the reply to test.greet is an error: the request could not be processed',
    );
    await close();
  });

  it('shares requests between replicas, except those for one of them', async () => {
    const replicas = await Promise.all([start(), start()]);
    for (const { running } of replicas) {
      const { replica } = await running.busOf('test');
      expect(await client.request(`test.replica.${replica}`, null, 60_000)).toBe(replica);
    }
    await Promise.all(replicas.map(({ close }) => close()));
  });

  it('does not serve the handlers of other services in its process', async () => {
    const { close } = await start();
    await expect(client.request('test.of-another-service', null, 60_000)).rejects.toThrow(/no service answers/);
    await close();
  });
});
