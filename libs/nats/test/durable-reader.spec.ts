import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { Bus } from '../src/index.js';
import { DurableReader } from '../src/doors/reading.js';

describe('a durable reader', () => {
  const started = new Started();
  let bus: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  it('gets what could not be handled again after a second, and everything else meanwhile', async () => {
    await bus.jsm.streams.add({ name: 'S', subjects: ['s'] });
    const handled: { readonly text: string; readonly at: number }[] = [];
    const handle = (message: { json(): unknown }): Promise<void> => {
      const text = String(message.json());
      const isRepeat = handled.some((each) => each.text === text);
      handled.push({ text, at: performance.now() });
      return text === 'bad' && !isRepeat ? Promise.reject(new Error('the database is down')) : Promise.resolve();
    };
    const reader = started.add(new DurableReader({ bus, stream: 'S', name: 'reader', logger: quietLogger(), handle }));
    await reader.start();
    await Promise.all(['bad', 'good'].map((text) => bus.js.publish('s', JSON.stringify(text))));
    await eventually('a repeat', () => Promise.resolve(handled.length === 3));
    expect(handled.map(({ text }) => text)).toEqual(['bad', 'good', 'bad']);
    const [first, , repeat] = handled;
    expect((repeat?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
    await eventually('all to be acknowledged', async () => (await reader.unacknowledged()) === 0);
  });
});
