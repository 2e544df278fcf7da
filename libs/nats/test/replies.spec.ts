import { setImmediate as turn } from 'node:timers/promises';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Bus, NoService } from '../src/index.js';

describe('a request over the bus', () => {
  let nats: TestNats;
  let bus: Bus;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  it('gets the reply of its own service while others wait', async () => {
    const gate = Promise.withResolvers<string>();
    const stops = [bus.respond('slow', () => gate.promise), bus.respond('quick', (message) => ({ to: message }))];
    const slow = bus.request('slow', {}, 30_000);
    const quick = await Promise.all([1, 2, 3].map((n) => bus.request('quick', n, 30_000)));
    gate.resolve('at last');
    expect([...quick, await slow]).toEqual([{ to: 1 }, { to: 2 }, { to: 3 }, 'at last']);
    for (const stop of stops) stop();
  });

  it('is rejected at once when no service answers it', async () => {
    await expect(bus.request('unserved', {}, 30_000)).rejects.toThrow(NoService);
  });

  it('is rejected when no reply comes in time', async () => {
    const silent = bus.connection.subscribe('silent', { callback: () => undefined });
    await expect(bus.request('silent', {}, 100)).rejects.toThrow('timeout');
    silent.unsubscribe();
  });

  it('is rejected at once when the user of the connection may not send it', async () => {
    const service = await Bus.connect({ url: nats.urlOf('collector'), name: 'test', logger: quietLogger() });
    try {
      await expect(service.request('unserved', {}, 30_000)).rejects.toThrow(/permissions violation/i);
    } finally {
      await service.close();
    }
  });

  it('is rejected when the connection is closed meanwhile, and not sent from then on', async () => {
    const asked: unknown[] = [];
    const silent = bus.connection.subscribe('kept', { callback: (_error, message) => void asked.push(message.json()) });
    await bus.connection.flush();
    const other = await Bus.connect({ url: nats.url, name: 'closing', logger: quietLogger() });
    const waiting = other.request('kept', 'before', 30_000);
    await other.connection.flush();
    const later = async (): Promise<unknown> => {
      await turn();
      return other.request('kept', 'after', 30_000);
    };
    await Promise.all([
      expect(waiting).rejects.toThrow('not received any more'),
      other.close(),
      expect(later()).rejects.toThrow(/drain|closed/i),
    ]);
    await expect(other.request('kept', 'at last', 30_000)).rejects.toThrow('closed connection');
    await bus.connection.flush();
    expect(asked).toEqual(['before']);
    silent.unsubscribe();
  });
});
