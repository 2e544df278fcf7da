import { Module, type OnApplicationShutdown, type OnModuleInit, type Type } from '@nestjs/common';
import type { Bus } from '@ringdown/nats';
import { Health, Metrics } from '@ringdown/observability';
import { RunningProcess } from '@ringdown/service';
import { setting, SettingsError } from '@ringdown/settings';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { problemStyle } from '@ringdown/web-server/errors';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createWebApplication, type WebService } from '../src/index.js';
import { startWebProcess, startWebService } from '../src/web-service.js';

let closed: string[] = [];

@Module({})
class OpenedModule implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    closed.push('opened');
  }
}

@Module({ imports: [OpenedModule] })
class FailingModule implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('the disk is full');
  }
}

const shared = (): { logger: ReturnType<typeof quietLogger>; metrics: Metrics; health: Health } => ({
  logger: quietLogger(),
  metrics: new Metrics(),
  health: new Health(),
});

describe('a web service that cannot start', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());
  beforeEach(() => {
    closed = [];
  });

  const service = (module: Type<unknown>): WebService => ({
    name: 'test',
    fields: {},
    module,
    transportId: Symbol('test'),
    errorStyles: () => [problemStyle('/')],
  });
  const running = (): RunningProcess =>
    new RunningProcess({ ...shared(), settings: { test: {} }, busOf: () => nats.url });

  it('closes its modules and its connection when a module fails', async () => {
    const process = running();
    const bus = await process.busOf('test');
    const starting = createWebApplication({ services: [service(FailingModule)], running: process });
    await expect(starting).rejects.toThrow('the disk is full');
    expect(closed).toEqual(['opened']);
    expect(bus.connection.isClosed()).toBe(true);
  });

  it('closes its modules when its subjects cannot be served', async () => {
    const prepare = (_: object, by: { readonly bus: Bus }): Promise<void> => by.bus.close();
    const starting = createWebApplication({ services: [{ ...service(OpenedModule), prepare }], running: running() });
    await expect(starting).rejects.toThrow(/closed/i);
    expect(closed).toEqual(['opened']);
  });

  it('closes its modules when its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const SERVICE_PORT = String(typeof address === 'object' ? address?.port : '');
    const starting = startWebService({
      service: service(OpenedModule),
      env: { SERVICE_PORT },
      natsUrl: nats.url,
      shared: shared(),
    });
    await expect(starting).rejects.toThrow(`port ${SERVICE_PORT}`);
    expect(closed).toEqual(['opened']);
    other.close();
  });
});

describe('a web service as a process', () => {
  it('reads and checks its settings once', async () => {
    const nats = await startNats();
    let read = 0;
    const color = setting.text('COLOR', { task: 'operation', default: 'red', about: 'A colour' });
    const parse = (text: string): string => {
      read++;
      return color.parse(text);
    };
    const checked: string[] = [];
    const service = {
      name: 'test',
      fields: { color: { ...color, parse } },
      check: (settings: { readonly color: string }) => {
        checked.push(settings.color);
        if (settings.color === 'none') throw new SettingsError(['COLOR has to be a colour']);
      },
      module: OpenedModule,
      transportId: Symbol('test'),
      errorStyles: () => [problemStyle('/')],
    };
    const common = { NATS_URL: nats.url, INNER_PORT: '0', INNER_HOST: '127.0.0.1', LOG_LEVEL: 'silent' };
    const program = await startWebProcess(service, { ...common, SERVICE_PORT: '0', COLOR: 'blue' });
    await program.close();
    expect({ read, checked }).toEqual({ read: 1, checked: ['blue'] });
    await expect(startWebProcess(service, { ...common, SERVICE_PORT: '0', COLOR: 'none' })).rejects.toThrow(
      'COLOR has to be a colour',
    );
    await nats.stop();
  });
});
