import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket } from '../src/doors/buckets.js';
import { ensureStream } from '../src/doors/streams.js';
import { Bus } from '../src/index.js';

/** What a server leaves that is killed between two files of a stream: its configuration, and the checksum of it. */
describe('a server that was killed while it wrote the configuration of a stream', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-kept-'));
  let nats: TestNats;
  let bus: Bus;
  let bucket: Bucket<unknown>;

  beforeAll(async () => {
    nats = started.add(await startNats({ folder }));
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    await ensureStream(bus, { name: 'KEPT', subjects: ['kept'], maxAgeMs: 0 });
    bucket = await Bucket.open({ bus, name: 'KEPT', maxAgeMs: 0, parse: (value: unknown) => value });
    for (let n = 0; n < 20; n++) await bus.js.publish('kept', `"${n}"`);
    await bucket.put('entry', 'value');
  });
  afterAll(() => started.stopAll());

  async function killAndStart(...streams: readonly string[]): Promise<void> {
    await nats.kill();
    for (const stream of streams)
      for (const file of globSync(join(folder, '**', 'streams', stream, 'meta.sum')))
        writeFileSync(file, '0123456789abcdef');
    await nats.restart();
  }

  it('leaves it out at its start; the services make it again, with all its messages', async () => {
    await killAndStart('KEPT', 'KV_KEPT');
    const messages = await eventually('the stream', async () => {
      const found = await bus.jsm.streams.info('KEPT').catch(() => undefined);
      return found?.state.messages;
    });
    expect(messages).toBe(20);
    const { seq } = await bus.js.publish('kept', '"next"');
    expect(seq).toBe(21);
    expect(await eventually('the entry', async () => bucket.get('entry').catch(() => undefined))).toMatchObject({
      value: 'value',
    });
  });

  it('is not changed where nothing is missing', async () => {
    const { created } = await bus.jsm.streams.info('KEPT');
    const back = new Promise<void>((resolve) => bus.onReconnect(resolve));
    await killAndStart();
    await back;
    const after = await eventually('the stream', () => bus.jsm.streams.info('KEPT').catch(() => undefined));
    expect([after.created, after.state.messages]).toEqual([created, 21]);
  });
});
