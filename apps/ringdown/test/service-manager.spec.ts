import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { NotifySocket } from '@ringdown/testing/notify-socket';
import { runningProcesses } from '@ringdown/testing/running-processes';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Environments of the servers below a process, and not of the programs that it runs for a moment. */
function serverEnvironments(pid: number): readonly string[] {
  return runningProcesses().flatMap((each) => {
    if (each.parent !== pid || !/postgres|nats-server/.test(each.command)) return [];
    try {
      return [readFileSync(`/proc/${each.pid}/environ`, 'utf8')];
    } catch {
      // It ended in the meantime.
      return [];
    }
  });
}

describe('a system that systemd has started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-notify-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('tells it by systemd-notify that it starts, is ready, lives and stops, and bus and database cannot', async () => {
    findProgram('systemd-notify', 'this test uses the real one. Install it (Debian: apt-get install systemd)');
    await seedDatabase(join(folder, 'data', 'database'));
    const socket = await NotifySocket.start(folder);
    const ports = await freePorts();
    // As systemd does for a unit with CacheDirectory.
    const service = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '600000', CACHE_DIRECTORY: folder };
    const system = launch({ ...ports, ...service, DATA_DIR: join(folder, 'data') });
    await running(system);
    await eventually('signs of life', () => socket.messages().filter((line) => line === 'WATCHDOG=1').length > 2);
    const servers = serverEnvironments(system.process.pid ?? 0);
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.join()).not.toContain(socket.path);
    await system.stop();
    const messages = socket.messages();
    await socket.stop();
    expect(messages[0]).toBe('EXTEND_TIMEOUT_USEC=60000000');
    const told = messages.filter((line) => !/^(?:EXTEND_TIMEOUT_USEC|WATCHDOG)=/.test(line));
    expect(told).toEqual(['READY=1', `STATUS=ready: https://localhost:${ports.PORT}/`, 'STOPPING=1']);
    expect(system.stderr()).toBe('');
  });
});
