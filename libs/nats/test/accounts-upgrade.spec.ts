import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findNatsServer, freePort, listening } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Bus } from '../src/index.js';

const MESSAGES = 200;
const READ = 50;

/**
 * Which message a consumer has acknowledged last, of the file with its state: magic number, version, and the sequences of
 * consumer and stream as variable-length integers, of one byte up to 127 (nats-server, encodeConsumerState in server/store.go).
 */
function acknowledgedIn(state: string): number | undefined {
  return existsSync(state) ? readFileSync(state)[3] : undefined;
}

/** A bus of a version without accounts: every stream is in the one account of all users. */
describe('the streams of a bus from before it had accounts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-move-'));
  const before = join(folder, 'before');

  beforeAll(async () => {
    const port = await freePort();
    mkdirSync(before);
    const config = join(before, 'nats.conf');
    writeFileSync(config, `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(before)} }\n`);
    const server = spawn((await findNatsServer())?.command ?? '', ['--config', config], { stdio: 'ignore' });
    await listening(port);
    const connection = await connect({ servers: `127.0.0.1:${port}` });
    const { streams, consumers } = await jetstreamManager(connection);
    await streams.add({ name: 'RECORDS', subjects: ['ringdown.records.*'] });
    await streams.add({ name: 'KV_TOKENS', subjects: ['$KV.TOKENS.>'], max_msgs_per_subject: 1 });
    await streams.add({ name: 'OF_THE_OPERATOR', subjects: ['ringdown.subscribers.billing.*'] });
    const js = jetstream(connection);
    for (let n = 1; n <= MESSAGES; n++) await js.publish('ringdown.records.0', String(n), { msgID: `id-${n}` });
    await js.publish('$KV.TOKENS.abc', '{}');
    await consumers.add('RECORDS', { durable_name: 'reader', ack_policy: AckPolicy.Explicit });
    const reader = await js.consumers.get('RECORDS', 'reader');
    for (let n = 1; n <= READ; n++) await (await reader.next())?.ackAck();
    await connection.close();
    // The server writes the state of a consumer a moment later, and not always when it is stopped before.
    const state = join(before, 'jetstream', '$G', 'streams', 'RECORDS', 'obs', 'reader', 'o.dat');
    await eventually('the position of the reader on the disk', () => acknowledgedIn(state) === READ);
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the server of this version on a copy, and looks at what it has. */
  async function expectUpgraded(name: string, change: (streams: string) => void): Promise<void> {
    const home = join(folder, name);
    cpSync(before, home, { recursive: true });
    change(join(home, 'jetstream'));
    const nats = await startNats({ folder: home });
    const opened: Bus[] = [];
    const as = async (user: 'aggregator' | 'discovery-auth'): Promise<Bus> => {
      const bus = await Bus.connect({ url: nats.urlOf(user), name: 'test', logger: quietLogger() });
      opened.push(bus);
      return bus;
    };
    try {
      const { js, jsm } = await as('aggregator');
      const { streams, consumers } = jsm;
      const { state } = await streams.info('RECORDS');
      expect(state).toMatchObject({ messages: MESSAGES, first_seq: 1, last_seq: MESSAGES });
      expect((await streams.getMessage('RECORDS', { seq: MESSAGES }))?.string()).toBe(String(MESSAGES));
      const { num_pending, ack_floor } = await consumers.info('RECORDS', 'reader');
      expect([num_pending, ack_floor.stream_seq]).toEqual([MESSAGES - READ, READ]);
      // Within the time in which copies are recognised.
      const copy = await js.publish('ringdown.records.0', 'copy', { msgID: `id-${MESSAGES}` });
      expect([copy.duplicate, copy.seq]).toEqual([true, MESSAGES]);
      const people = await as('discovery-auth');
      expect((await people.jsm.streams.info('KV_TOKENS')).state.messages).toBe(1);
      expect(existsSync(join(home, 'jetstream', 'FEED', 'streams', 'OF_THE_OPERATOR'))).toBe(true);
    } finally {
      await Promise.all(opened.map((bus) => bus.close()));
      await nats.stop();
    }
  }

  it('are in their accounts after the first start, with sequences, consumers and message ids', async () => {
    await expectUpgraded('whole', () => undefined);
    expect(existsSync(join(folder, 'whole', 'jetstream', '$G', 'streams'))).toBe(false);
  });

  it('are moved on after a crash, whichever of them were moved', async () => {
    for (const moved of [['RECORDS'], ['KV_TOKENS', 'RECORDS'], ['KV_TOKENS', 'OF_THE_OPERATOR', 'RECORDS']]) {
      await expectUpgraded(`crash-${moved.length}`, (jetStream) => {
        for (const name of moved) {
          const target = join(jetStream, name === 'KV_TOKENS' ? 'PEOPLE' : 'FEED', 'streams', name);
          mkdirSync(dirname(target), { recursive: true });
          renameSync(join(jetStream, '$G', 'streams', name), target);
        }
      });
    }
    expect(existsSync(join(folder, 'crash-3', 'jetstream', '$G', 'streams'))).toBe(false);
  });

  it('stop the start when an older version has made them again after the upgrade', async () => {
    const home = join(folder, 'older');
    cpSync(before, home, { recursive: true });
    cpSync(join(home, 'jetstream', '$G', 'streams', 'RECORDS'), join(home, 'jetstream', 'FEED', 'streams', 'RECORDS'), {
      recursive: true,
    });
    await expect(startNats({ folder: home })).rejects.toThrow(/has the stream RECORDS twice/);
    expect(readdirSync(join(home, 'jetstream', '$G', 'streams'))).toContain('RECORDS');
  });
});

describe('a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-old-bus-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What becomes of a connection to a server whose one user has these permissions and no account. */
  async function connecting(permissions: string): Promise<string> {
    const port = await freePort();
    const config = join(folder, 'nats.conf');
    const user = `{ user: collector, password: secret${permissions} }`;
    const lines = [`listen: "127.0.0.1:${port}"`, `jetstream { store_dir: ${JSON.stringify(folder)} }`];
    writeFileSync(config, [...lines, `authorization { users: [${user}] }`, ''].join('\n'));
    const server = spawn((await findNatsServer())?.command ?? '', ['--config', config], { stdio: 'ignore' });
    await listening(port);
    const url = `nats://collector:secret@127.0.0.1:${port}`;
    try {
      const bus = await Bus.connect({ url, name: 'test', logger: quietLogger() });
      await bus.close();
      return bus.hasJetStream ? 'connected, with JetStream' : 'connected, without JetStream';
    } catch (error) {
      return String(error);
    } finally {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
  }

  it.each([
    ['refuses a bus whose users have limited permissions and no accounts', '["$JS.API.>", "$SYS.REQ.USER.INFO"]'],
    ['refuses a bus that has the permissions of an older version', '["$JS.API.>"]'],
  ])('%s', async (_what, publish) => {
    const outcome = await connecting(`, permissions: { publish: ${publish}, subscribe: "_INBOX.>" }`);
    expect(outcome).toContain('"Accounts of the bus" in docs/guides/upgrade-notes.md');
  });

  it('uses a bus with one user for all services', async () => {
    expect(await connecting('')).toBe('connected, with JetStream');
  });
});
