import { eventually } from '@ringdown/testing/eventually';
import { NotifySocket } from '@ringdown/testing/notify-socket';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServiceManager } from './service-manager.js';

/** systemd-notify as these tests need it: one datagram of all arguments. */
const SENDER = `#!/usr/bin/perl
use Socket; socket(S, PF_UNIX, SOCK_DGRAM, 0) or die; connect(S, sockaddr_un($ENV{NOTIFY_SOCKET})) or die "cannot connect: $!\\n"; send(S, join("\\n", @ARGV), 0);`;
const ALIVE = 'WATCHDOG=1';

describe('the service manager', () => {
  let folder: string;
  let socket: NotifySocket;
  let manager: ServiceManager;
  const warnings: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-manager-'));
    writeFileSync(join(folder, 'systemd-notify'), SENDER, { mode: 0o755 });
    socket = await NotifySocket.start(folder);
  });
  afterEach(async () => {
    manager.close();
    await socket.stop();
    rmSync(folder, { recursive: true });
    warnings.length = 0;
  });

  function open(more: Readonly<Record<string, string>>): ServiceManager {
    const env = { NOTIFY_SOCKET: socket.path, PATH: `${folder}:/usr/bin`, ...more };
    manager = new ServiceManager(env, { pid: 7, warn: (line) => warnings.push(line) });
    return manager;
  }

  function signsOfLife(): number {
    return socket.messages().filter((line) => line === ALIVE).length;
  }

  it('is asked for time during a start, and told of its end, the state and the stop in this order', async () => {
    open({});
    manager.starting();
    manager.ready(() => Promise.resolve('ready:\n https://localhost/'));
    await eventually('the state', () => socket.messages().length === 3);
    manager.stopping();
    await eventually('the stop', () => socket.messages().length === 4);
    expect(socket.messages()).toEqual([
      'EXTEND_TIMEOUT_USEC=60000000',
      'READY=1',
      'STATUS=ready: https://localhost/',
      'STOPPING=1',
    ]);
    expect(warnings).toEqual([]);
  });

  it('hears of a living process also while its state cannot be told, and of a state that has changed', async () => {
    open({ WATCHDOG_USEC: '90000', WATCHDOG_PID: '7' });
    const states = ['one', 'one', 'two'];
    let asked = 0;
    manager.ready(() => {
      const state = states[asked++];
      return state === undefined ? new Promise(() => undefined) : Promise.resolve(state);
    });
    await eventually('six signs of life', () => signsOfLife() >= 6);
    expect(socket.messages().filter((line) => line.startsWith('STATUS='))).toEqual(['STATUS=one', 'STATUS=two']);
    expect(asked).toBe(4);
  });

  it('is told of no state any more after the stop, and goes on hearing of a living process', async () => {
    open({ WATCHDOG_USEC: '90000' });
    let state = 'ready';
    manager.ready(() => Promise.resolve(state));
    await eventually('the state', () => socket.messages().includes('STATUS=ready'));
    manager.stopping();
    state = 'NOT ready: stopping';
    const before = signsOfLife();
    await eventually('signs of life', () => signsOfLife() >= before + 3);
    expect(socket.messages().filter((line) => line.startsWith('STATUS='))).toEqual(['STATUS=ready']);
  });

  it('does not hear of a process whose loop stands still', async () => {
    open({ WATCHDOG_USEC: '30000' });
    manager.ready(() => Promise.resolve('ready'));
    await eventually('signs of life', () => signsOfLife() >= 2);
    const before = signsOfLife();
    // The time of 50 signs.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    // One may have been on its way.
    expect(signsOfLife() - before).toBeLessThanOrEqual(1);
    await eventually('signs of life again', () => signsOfLife() >= before + 3);
  });

  it.each([
    { why: 'it watches another process', more: { WATCHDOG_USEC: '3000', WATCHDOG_PID: '8' } },
    { why: 'it does not watch', more: {} },
    { why: 'its time is none', more: { WATCHDOG_USEC: 'never' } },
  ])('is sent no signs of life where $why', async ({ more }) => {
    open(more);
    manager.ready(() => Promise.resolve('ready'));
    manager.stopping();
    await eventually('the stop', () => socket.messages().includes('STOPPING=1'));
    expect(signsOfLife()).toBe(0);
  });

  it('is not there without its socket, and nothing is run', () => {
    open({ NOTIFY_SOCKET: '', WATCHDOG_USEC: '3000' });
    manager.starting();
    manager.ready(() => Promise.reject(new Error('nobody asks for it')));
    manager.stopping();
    expect(socket.messages()).toEqual([]);
  });

  it.each([
    { what: 'program', more: (): Record<string, string> => ({ PATH: dirname(folder) }), reason: /ENOENT$/ },
    { what: 'socket', more: () => ({ NOTIFY_SOCKET: '/nonexistent' }), reason: /cannot connect: No such file/ },
  ])('is given up with one line where the $what is missing', async ({ more, reason }) => {
    open(more());
    manager.starting();
    manager.ready(() => Promise.resolve('ready'));
    manager.stopping();
    await eventually('the warning', () => warnings.length > 0);
    expect(warnings).toEqual([expect.stringMatching(reason)]);
    expect(warnings[0]).toMatch(/^the service manager cannot be told of this process: /);
  });
});
