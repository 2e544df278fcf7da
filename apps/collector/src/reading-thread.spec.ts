import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedBody, type BodyRead } from './feed-body.js';
import { ReaderUnavailable, ReadingThread, type ReadingThreadOptions } from './reading-thread.js';

const RECORD = `<Diagnostics><ConnectionInfo><FrontEnd>fe</FrontEnd><CallId>one</CallId></ConnectionInfo></Diagnostics>`;
const large = (body: string): string => body.padEnd(10_000);
const REQUEST = '<GetConfiguration><FrontEnd>fe</FrontEnd></GetConfiguration>';

/** A thread that says of each body that it was read here, and does something else where one begins with `!`. */
function threadThat(does: string): URL {
  return new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    const own = { kind: 'failed', message: 'read in the thread', stack: undefined };
    parentPort.on('message', ({ bytes, ends }) => {
      if (bytes[0] === 33) { ${does}; return; }
      parentPort.postMessage(ends.map(() => own));
    });`);
}

describe('the reading of bodies', () => {
  const made: ReadingThread[] = [];
  let ends: string[];
  beforeEach(() => (ends = []));
  afterEach(async () => {
    for (const thread of made.splice(0)) await thread.close();
  });

  function reading(options: Partial<ReadingThreadOptions> = {}): ReadingThread {
    const thread = new ReadingThread({
      profile: defaultProfile,
      onEnd: (reason) => void ends.push(reason),
      ...options,
    });
    made.push(thread);
    return thread;
  }

  function readAll(thread: ReadingThread, bodies: readonly string[]): Promise<PromiseSettledResult<BodyRead>[]> {
    return Promise.allSettled(bodies.map((body, at) => thread.read(Buffer.from(body), at)));
  }

  function outcome(settled: PromiseSettledResult<BodyRead>): unknown {
    if (settled.status === 'rejected') return settled.reason;
    return settled.value.kind === 'failed' ? settled.value.message : settled.value;
  }

  const withoutId = (read: unknown): string => JSON.stringify(read).replace(/\\"id\\":\\"[^"]+\\"/, '');

  it('gives for many what it gives for one, in their order', async () => {
    const bodies = [large(RECORD), '<Unknown/>', REQUEST, 'no XML', `${RECORD}<!-- \u00e9\u4e2d -->`, '\u{feff}'];
    const expected = bodies.map((body, at) => withoutId(readFeedBody(Buffer.from(body), at, defaultProfile)));
    const thread = reading();
    const read = await readAll(thread, bodies);
    expect(read.map((each) => withoutId(outcome(each)))).toEqual(expected);
    expect(ends).toEqual([]);
  });

  it('reads more than fits into a batch, one batch after another', async () => {
    const long = RECORD.replace('</Diagnostics>', `<Further>${'x'.repeat(100_000)}</Further></Diagnostics>`);
    const bodies = Array.from({ length: 200 }, (_, at) => (at % 20 === 0 ? long : RECORD).replace('one', `call ${at}`));
    const read = (await readAll(reading(), bodies)).map(outcome);
    expect(read).toMatchObject(bodies.map((_, at) => ({ kind: 'record', callId: `call ${at}` })));
  });

  it('reads a few small bodies without the thread', async () => {
    const thread = reading({ entry: threadThat('process.exit(7)') });
    const read = (await readAll(thread, [RECORD, RECORD])).map(outcome);
    expect(read).toMatchObject(read.map(() => ({ kind: 'record', callId: 'one', frontEnds: ['fe'], reports: 'none' })));
    expect((await readAll(thread, [large(RECORD)])).map(outcome)).toEqual(['read in the thread']);
  });

  it.each([
    ['ends', 'process.exit(7)', 'exit code 7'],
    ['throws', `throw new Error('broken')`, 'broken'],
    ['says nothing any more', '', 'it said nothing for 5000 ms'],
  ])('loses what a thread has that %s, and goes on with another', async (_what, does, reason) => {
    const thread = reading({ entry: threadThat(does), patienceMs: 5_000 });
    const lost = readAll(thread, [large('!'), 'b']);
    await new Promise((turn) => setImmediate(turn));
    const waited = readAll(thread, [large('c'), 'd']);
    for (const each of await lost) expect(outcome(each)).toBeInstanceOf(ReaderUnavailable);
    expect(ends).toEqual([reason]);
    expect((await waited).map(outcome)).toEqual(['read in the thread', 'read in the thread']);
    expect(thread.waiting).toBe(0);
  });

  it('refuses what it has no room for', async () => {
    const few = (await readAll(reading({ maxWaiting: 2 }), [RECORD, RECORD, RECORD])).map(outcome);
    expect(few).toMatchObject([
      { kind: 'record' },
      { kind: 'record' },
      new ReaderUnavailable('2 bodies wait to be read already'),
    ]);
    const thread = reading({ maxWaitingBytes: RECORD.length + 1 });
    const small = (await readAll(thread, [RECORD, RECORD, RECORD])).map(outcome);
    expect(small).toMatchObject([{ kind: 'record' }, { kind: 'record' }, { name: 'ReaderUnavailable' }]);
    expect((await readAll(thread, [RECORD])).map(outcome)).toMatchObject([{ kind: 'record' }]);
  });

  it('ends when everything is read', async () => {
    const thread = reading();
    const read = readAll(
      thread,
      Array.from({ length: 300 }, () => RECORD),
    );
    await thread.close();
    expect(thread.waiting).toBe(0);
    expect((await read).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(ends).toEqual([]);
  });
});
