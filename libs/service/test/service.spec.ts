import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Bus } from '@ringdown/nats';
import { Health, Metrics } from '@ringdown/observability';
import { setting, SettingsError } from '@ringdown/settings';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startProcess, startService, type Service } from '../src/service.js';

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

/** How often the settings were read and checked. */
let read = 0;
let checked = 0;

const color = setting.text('COLOR', { task: 'operation', default: 'red', about: 'A colour' });
const counted = {
  ...color,
  parse: (text: string): string => {
    read++;
    return color.parse(text);
  },
};

const service: Service<{ readonly color: typeof counted }> = {
  name: 'test',
  fields: { color: counted },
  check: (settings) => {
    checked++;
    if (settings.color === 'none') throw new SettingsError(['COLOR has to be a colour']);
  },
  module: OpenedModule,
  transportId: Symbol('test'),
};

describe('a service without a web listener', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());
  beforeEach(() => {
    closed = [];
    read = 0;
    checked = 0;
  });

  function processEnv(color: string): Record<string, string> {
    return { COLOR: color, NATS_URL: nats.url, INNER_PORT: '0', INNER_HOST: '127.0.0.1', LOG_LEVEL: 'silent' };
  }

  it('reads and checks its settings once when it runs as a process', async () => {
    const program = await startProcess(service, processEnv('blue'));
    await program.close();
    expect({ read, checked, closed }).toEqual({ read: 1, checked: 1, closed: ['opened'] });
  });

  it('does not start when its settings contradict each other', async () => {
    await expect(startProcess(service, processEnv('none'))).rejects.toThrow('COLOR has to be a colour');
    expect(closed).toEqual([]);
  });

  it('closes its modules and its connection when a module fails to start', async () => {
    const shared = { logger: quietLogger(), metrics: new Metrics(), health: new Health() };
    const buses: Bus[] = [];
    const prepare = async (_: object, by: { readonly bus: Bus }): Promise<void> => void buses.push(by.bus);
    const failing = { ...service, module: FailingModule, prepare };
    await expect(startService({ service: failing, env: {}, natsUrl: nats.url, shared })).rejects.toThrow(
      'the disk is full',
    );
    expect(closed).toEqual(['opened']);
    expect(buses.map((bus) => bus.connection.isClosed())).toEqual([true]);
  });
});
