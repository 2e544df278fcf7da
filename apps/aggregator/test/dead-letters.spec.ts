import { partitionOfCall, recordsSubject } from '@ringdown/contracts/records';
import { deadLetterSubject, REJECTED_SUBJECT } from '@ringdown/contracts/set-aside';
import { DeadLetters, type StoredLetter } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { randomUUID } from 'node:crypto';
import { runDeadLettersCommand } from '../src/dead-letters/command.js';
import { Surroundings, type Page } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

/** One item of `/api/rejected-records`. */
interface Listed {
  readonly code: string;
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('records that cannot become part of a call', () => {
  let around: Surroundings;
  let letters: DeadLetters;

  beforeAll(async () => {
    around = await Surroundings.start({ ownDatabase: true });
    letters = new DeadLetters(around.bus);
  });
  afterEach(async () => {
    await around.stopAggregators();
    for await (const { number } of letters.all()) await letters.delete(number);
  });
  afterAll(() => around.stop());

  async function command(...argv: string[]): Promise<Outcome> {
    let [out, err] = ['', ''];
    const code = await runDeadLettersCommand(argv, {
      env: { NATS_URL: around.nats.urlOf('aggregator') },
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }

  function publishRaw(partition: number, message: unknown): Promise<unknown> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return around.bus.js.publish(recordsSubject(partition), body, { msgID: randomUUID() });
  }

  async function kept(atLeast: number): Promise<readonly StoredLetter[]> {
    return eventually('the dead letters', async () => {
      const found: StoredLetter[] = [];
      for await (const letter of letters.all()) found.push(letter);
      return found.length >= atLeast && found;
    });
  }

  /** The fold fails on this, although the document of the front end is valid. */
  function unfoldable(callId: string, xml?: string): object {
    const good = published(startXml({ callId }));
    return { ...good, xml: xml ?? good.xml, record: { ...good.record, events: [null] } };
  }

  function publish(callId: string, record: object): Promise<unknown> {
    return publishRaw(partitionOfCall(callId), { v: 1, records: [record] });
  }

  it('are kept whole, and join their call when a version that can read them replays them', async () => {
    const aggregator = await around.startAggregator();
    const bad = { ...unfoldable('mended'), record: 'rubbish' };
    await publish('mended', bad);
    const [letter] = await kept(1);
    expect(letter?.letter).toMatchObject({
      v: 1,
      code: 'unreadable-record',
      partition: partitionOfCall('mended'),
      content: bad,
    });
    const number = String(letter?.number);

    expect((await command('list')).out).toMatch(
      new RegExp(`^${number}  \\d{4}-\\d\\d-\\d\\dT\\S+Z  unreadable-record  mended  no record\\n$`),
    );
    expect(JSON.parse((await command('show', number)).out)).toEqual(letter);
    expect(await command('replay', number)).toEqual({
      code: 0,
      out: `${number}: 1 record(s) published to the feed again\n`,
      err: '',
    });
    expect(await around.call(aggregator, 'mended')).toMatchObject({ state: 'active', version: 1 });
    expect(await command('list')).toEqual({ code: 0, out: '', err: 'No dead letters.\n' });
  });

  it('are listed with the address and the certificate of their sender, like accepted records', async () => {
    const aggregator = await around.startAggregator();
    const sentBy = { remoteAddress: '192.0.2.77', certificateSubject: 'CN=fe7.example.test' };
    await publish('from-77', { ...unfoldable('from-77'), ...sentBy });
    await publishRaw(2, 'neither JSON nor from an address');
    await kept(2);
    for (const token of [around.operator, around.plainOperator]) {
      const items = await eventually('both in the list', async () => {
        const { body } = await aggregator.get<Page<Listed>>('/api/rejected-records?limit=2', token);
        const listed = body.items.map(({ code, remoteAddress, certificateSubject }) => [
          code,
          remoteAddress,
          certificateSubject,
        ]);
        return listed.some(([code]) => code === 'unreadable-message') && listed.length === 2 && listed;
      });
      expect(items).toContainEqual(['unstorable-record', '192.0.2.77', 'CN=fe7.example.test']);
      expect(items).toContainEqual(['unreadable-message', null, null]);
    }
  });

  it('are kept from an unreadable message until a version can read it', async () => {
    await around.startAggregator();
    await publishRaw(2, 'this is not JSON');
    await publishRaw(2, { v: 99, records: [published(startXml({ callId: 'later' }))] });
    const numbers = (await kept(2)).map(({ number }) => number).toSorted((a, b) => a - b);
    const replayed = await command('replay', '--all');
    expect(replayed).toMatchObject({ code: 1, out: '' });
    expect(replayed.err).toMatch(
      new RegExp(
        `^${numbers[0]}: it is not a message of records: .*\\n${numbers[1]}: it contains no readable records\\n$`,
      ),
    );
    expect(await kept(2)).toHaveLength(2);
    expect(await command('delete', '--all')).toMatchObject({ code: 0, err: '' });
    expect((await command('list')).err).toBe('No dead letters.\n');
  });

  it('hold up no others when no collector has written them', async () => {
    const aggregator = await around.startAggregator();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const partition = partitionOfCall('after-them');
    const nul = { collector: 'a\u0000b', number: 1 };
    await publishRaw(partition, `{"v":1,"records":[{"id":"deep","x":${deep}}]}`);
    await publishRaw(partition, { v: 1, from: nul, records: [published(startXml({ callId: 'after-them' }))] });
    await around.bus.js.publish(deadLetterSubject(0), 'garbage');
    await around.bus.js.publish(REJECTED_SUBJECT, 'garbage');
    await publish('after-them', published(startXml({ callId: 'after-them' })));
    await around.call(aggregator, 'after-them');
    const found = await kept(3);
    expect(found.map(({ letter }) => letter.code).toSorted()).toEqual([
      'unreadable-message',
      'unreadable-message',
      'unreadable-record',
    ]);
    expect(await command('delete', '--all')).toMatchObject({ code: 0, err: '' });
    const { body } = await aggregator.get<Page<Listed>>('/api/rejected-records', around.operator);
    expect(body.items.length).toBeGreaterThan(0);
  });

  it('are kept when they cannot be parsed, and do not prevent others from being replayed', async () => {
    const aggregator = await around.startAggregator();
    await publish('held-up', unfoldable('held-up'));
    await publish('never', unfoldable('never', '<html/>'));
    await kept(2);
    const { code, out, err } = await command('replay', '--all');
    expect([code, out]).toEqual([1, expect.stringMatching(/^\d+: 1 record\(s\) published to the feed again\n$/)]);
    expect(err).toMatch(/^\d+: Unknown root element "html"/);
    await around.call(aggregator, 'held-up');
    const [left, ...more] = await kept(1);
    expect([left?.letter.content, more]).toEqual([expect.objectContaining({ xml: '<html/>' }), []]);
  });

  it('are stored once before reading continues, however often the database fails', async () => {
    const aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'before' })));
    await around.call(aggregator, 'before');
    await around.database.kill();
    await publishRaw(partitionOfCall('outage'), { v: 1, records: [7, published(startXml({ callId: 'outage' }))] });
    await kept(1);
    await eventually(
      'a try',
      async () => Number(await aggregator.metric(/batch_seconds_count\{result="failed"\} (\d+)/)) >= 1,
    );
    await around.database.restart();
    await around.call(aggregator, 'outage', ({ state }) => state === 'active');
    expect(await kept(1)).toHaveLength(1);
    expect(await aggregator.metric(/records_total\{outcome="set_aside"\} (\d+)/)).toBe('1');
  });

  it('cannot control the terminal on which they are listed', async () => {
    await around.startAggregator();
    await publishRaw(0, { v: 1, records: [{ xml: '<CallId>\u001b[2Jboo\u202e</CallId>' }] });
    await kept(1);
    expect((await command('list')).out).toContain('  ?[2Jboo?  ');
  });

  it.each([
    [[], 'no command given'],
    [['lst'], 'unknown command "lst"'],
    [['show'], 'show needs numbers of the list'],
    [['show', 'x'], '"x" is not the number of a dead letter'],
    [['show', '0'], '"0" is not the number'],
    [['show', '--all'], 'show does not accept --all'],
    [['replay'], 'replay needs numbers of the list'],
    [['replay', '--all', '3'], 'replay needs numbers of the list'],
    [['list', '3'], 'list accepts no numbers'],
    [['list', '--limit', '0'], '--limit must be a number'],
    [['list', '--frobnicate'], '--frobnicate'],
  ])('are not changed by the invalid command line %j', async (argv, reason) => {
    const { code, err } = await command(...argv);
    expect(code).toBe(2);
    expect(err).toContain(reason);
    expect(err).toContain('Usage: npm run dead-letters');
  });

  it('are reported as missing when the number is unknown, and the bus as missing when none runs', async () => {
    await around.startAggregator();
    expect(await command('show', '999999')).toEqual({
      code: 1,
      out: '',
      err: '999999: no dead letter has this number\n',
    });
    let err = '';
    const io = { env: { NATS_URL: 'nats://127.0.0.1:1' }, out: () => undefined, err: (text: string) => (err += text) };
    expect(await runDeadLettersCommand(['list'], io)).toBe(1);
    expect(err).toMatch(/^dead-letters: cannot connect to the message bus at nats:\/\/127\.0\.0\.1:1/);
  });
});
