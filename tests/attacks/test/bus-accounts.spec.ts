import { jest } from '@jest/globals';
import { BUS_USER_NAMES, busUsers, type BusUserName } from '@ringdown/testing/embedded-servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { allowsRollups, attacks, streamMessageId, mayRead, mayWrite, streams } from '../src/bus-attacks.js';
import { judgeOf, LAYOUTS, startLayout, type DeployedBus } from '../src/bus-layouts.js';
import { RawBus } from '../src/raw-bus.js';

jest.setTimeout(300_000);

/** Between two readings of the streams that must be equal. What an attack does later counts against the next one of its key. */
const STEP_MS = 20;
/** The same after the last attack of a key. */
const SETTLE_MS = 300;
const RETRY_MS = 50;

/** Every key against every stream and bucket of other accounts, with the files of each kind of deployment. */
describe.each(LAYOUTS)('the bus with the files of the layout %s', (layout) => {
  let bus: DeployedBus;
  const judges = new Map<string, RawBus>();
  let current: { readonly key: BusUserName; readonly attacker: RawBus; before: ReadonlyMap<string, State> } | undefined;
  const results: { attack: string; key: string; held: number; of: number }[] = [];

  beforeAll(async () => {
    bus = await startLayout(layout);
    for (const account of ['FEED', 'PEOPLE']) judges.set(account, await RawBus.open(bus.port, judgeOf(account)));
    await Promise.all(streams.map((each) => makeStream(each)));
  });
  afterAll(async () => {
    for (const each of [...judges.values(), current?.attacker]) each?.close();
    await bus.stop();
    process.stderr.write(`${attackTable(layout, results)}\n`);
  });

  function judge(account: string): RawBus {
    const found = judges.get(account);
    if (found === undefined) throw new Error(`no judge of ${account}`);
    return found;
  }

  /** Until it is true: what else it was at last is in the error. */
  async function until(what: string, isThere: () => Promise<unknown>): Promise<void> {
    for (const end = performance.now() + 60_000; ;) {
      const answer = await isThere();
      if (answer === true) return;
      if (performance.now() > end) throw new Error(`${what} could not be made: ${JSON.stringify(answer)}`);
      await sleep(RETRY_MS);
    }
  }

  /** With two messages. */
  async function makeStream(each: (typeof streams)[number]): Promise<void> {
    const { stream, account, patterns, subjects, witness } = each;
    const rollups = { allow_rollup_hdrs: allowsRollups(each) };
    const config = { name: stream, subjects: patterns, allow_direct: true, num_replicas: bus.replicas, ...rollups };
    const limits = { retention: 'limits', storage: 'file', discard: 'old', max_consumers: -1, max_msgs: -1 };
    await until(`the stream ${stream}`, async () => {
      const made = await judge(account).request(`$JS.API.STREAM.CREATE.${stream}`, { ...config, ...limits });
      return Object(made).config !== undefined || made;
    });
    for (const stored of [witness, ...subjects.slice(0, 1)]) {
      await until(`a message in ${stream}`, async () => {
        const headers = { 'Nats-Msg-Id': streamMessageId(stream) + (stored === witness ? '-1' : '') };
        const answer = await judge(account).request(stored, streamSecret(stream), headers);
        return Object(answer).seq >= 1 || answer;
      });
    }
  }

  interface State {
    readonly first: number;
    readonly last: number;
    /** Messages between them that were removed. */
    readonly removed: number;
    readonly consumers: number;
    readonly config: string;
  }

  async function stateOf(stream: string, account: string): Promise<State> {
    const { state, config } = Object(await judge(account).request(`$JS.API.STREAM.INFO.${stream}`, ''));
    const { first_seq: first, last_seq: last, num_deleted: removed = 0, consumer_count: consumers } = Object(state);
    return { first, last, removed, consumers, config: JSON.stringify(config) };
  }

  async function names(account: string): Promise<readonly string[]> {
    return Object(await judge(account).request('$JS.API.STREAM.NAMES', '')).streams ?? [];
  }

  /** When two readings are equal: a cluster needs a while to store what was sent. */
  async function settledStates(targets: typeof streams, stepMs: number): Promise<ReadonlyMap<string, State>> {
    const read = async (): Promise<ReadonlyMap<string, State>> =>
      new Map(
        await Promise.all(
          targets.map(async ({ stream, account }) => [stream, await stateOf(stream, account)] as const),
        ),
      );
    for (let last = await read(); ;) {
      await sleep(stepMs);
      const next = await read();
      if (isDeepStrictEqual(last, next)) return next;
      last = next;
    }
  }

  function changedOrRead(
    key: BusUserName,
    received: string,
    before: ReadonlyMap<string, State>,
    after: ReadonlyMap<string, State>,
  ): string[] {
    const broken: string[] = [];
    for (const { stream, patterns } of streams) {
      const [was, is] = [before.get(stream), after.get(stream)];
      if (was === undefined || is === undefined) continue;
      const allowed = mayWrite(key, patterns) ? { ...is, last: was.last } : is;
      if (JSON.stringify(allowed) !== JSON.stringify(was)) broken.push(`${stream} changed: ${JSON.stringify(is)}`);
      if (received.includes(streamSecret(stream)) && !mayRead(key, stream)) broken.push(`${stream} read`);
    }
    return broken;
  }

  /** The accounts in which an attacker of another one has made a stream. */
  async function stolen(key: BusUserName): Promise<string[]> {
    const others = ['FEED', 'PEOPLE'].filter((account) => account !== busUsers[key].account);
    const found: string[] = [];
    for (const account of others) if ((await names(account)).includes('STOLEN')) found.push(`${account}: STOLEN`);
    // The next attack begins without them.
    await removeStolen(...others);
    return found;
  }

  /** Removes what attacks may have left. */
  async function removeStolen(...accounts: readonly string[]): Promise<void> {
    for (const account of accounts) await judges.get(account)?.request('$JS.API.STREAM.DELETE.STOLEN', '');
  }

  /** One connection for all attacks of a key, with the state that the one before has left. */
  async function attackerOf(key: BusUserName, targets: typeof streams): Promise<NonNullable<typeof current>> {
    if (current?.key === key) return current;
    current?.attacker.close();
    await removeStolen('FEED', 'PEOPLE');
    const before = await settledStates(targets, SETTLE_MS);
    current = { key, attacker: await RawBus.open(bus.port, { name: key, ...bus.keys[key] }), before };
    return current;
  }

  /** The streams that an attack has changed or read, of those that are not of the attacker's account. */
  async function breaches(key: BusUserName, attack: string): Promise<readonly string[]> {
    const targets = streams.filter(({ account }) => account !== busUsers[key].account);
    const attacking = await attackerOf(key, targets);
    const { attacker, before } = attacking;
    await removeStolen(busUsers[key].account);
    for (const target of targets) {
      for (const shot of attacks[attack]?.(key, target) ?? [])
        attacker.publish(shot.subject, shot.body, shot.reply, shot.headers);
      await attacker.flush();
    }
    const isLast = attack === Object.keys(attacks).at(-1);
    const after = await settledStates(targets, isLast ? SETTLE_MS : STEP_MS);
    await attacker.flush();
    attacking.before = after;
    const broken = [...changedOrRead(key, attacker.takeReceived(), before, after), ...(await stolen(key))];
    results.push({ attack, key, held: targets.length - broken.length, of: targets.length });
    return broken;
  }

  it.each(BUS_USER_NAMES.flatMap((key) => Object.keys(attacks).map((attack) => [key, attack] as const)))(
    'holds with the key of %s against: %s',
    async (key, attack) => {
      expect(await breaches(key, attack)).toEqual([]);
    },
  );

  it('shows by a header what a bucket does that one account alone writes to', async () => {
    const attacker = await RawBus.open(bus.port, { name: 'application-people', ...bus.keys['application-people'] });
    attacker.publish('$KV.PRESENCE.lever', '{}', '', { 'Nats-Rollup': 'all' });
    await attacker.flush();
    await until('the roll-up', async () => (await stateOf('KV_PRESENCE', 'PEOPLE')).first > 1);
    expect((await stateOf('KV_PRESENCE', 'PEOPLE')).first).toBeGreaterThan(1);
    attacker.close();
  });

  it('shows that the server stores a wildcard in a subject as a word', async () => {
    const attacker = await RawBus.open(bus.port, { name: 'application-people', ...bus.keys['application-people'] });
    const before = await stateOf('KV_MESSAGES', 'PEOPLE');
    attacker.publish('$KV.MESSAGES.*', '{}');
    await attacker.flush();
    await until('the message', async () => (await stateOf('KV_MESSAGES', 'PEOPLE')).last > before.last);
    const last = await judge('PEOPLE').request('$JS.API.STREAM.MSG.GET.KV_MESSAGES', { seq: before.last + 1 });
    expect(Object(Object(last).message).subject).toBe('$KV.MESSAGES.*');
    attacker.close();
  });

  // What the accounts are for: that the attacks work where there are none is shown beside them.
  it('shows by a reply subject that users of one account reach each other', async () => {
    const attacker = await RawBus.open(bus.port, { name: 'application-people', ...bus.keys['application-people'] });
    attacker.publish('$KV.PRESENCE.lever', '{}', '$JS.API.STREAM.PURGE.KV_TOKENS');
    await attacker.flush();
    await until('the purge', async () => (await stateOf('KV_TOKENS', 'PEOPLE')).first > 1);
    expect((await stateOf('KV_TOKENS', 'PEOPLE')).first).toBeGreaterThan(1);
    attacker.close();
  });
});

function streamSecret(stream: string): string {
  return `secret of ${stream};`;
}

function attackTable(
  layout: string,
  results: readonly { attack: string; key: string; held: number; of: number }[],
): string {
  const lines = Object.keys(attacks).map((attack) => {
    const cells = results.filter((each) => each.attack === attack).map(({ key, held, of }) => `${key} ${held}/${of}`);
    return `  ${attack.padEnd(24)}${cells.join('  ')}`;
  });
  return [`attacks held with the files of the layout ${layout}:`, ...lines].join('\n');
}
