import { jest } from '@jest/globals';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEMD } from '../../src/first-process.js';
import { SYSTEMD_ROOTS } from '../../src/given.js';
import { InstalledMachine } from '../../src/installed.js';
import { makeNextVersion, NEXT_VERSION } from '../../src/next-version.js';

jest.setTimeout(300_000);

const UNIT = 'ringdown.service';
const DROP_IN = '/etc/systemd/system/ringdown.service.d';
const SETTINGS = '/etc/ringdown/ringdown.env';
const CHECK_MS = 200;
const WAIT_MS = 120_000;
/** More than RestartSec of the unit. */
const RESTART_MS = 8_000;

describe.each(SYSTEMD_ROOTS)('the service under systemd on %s', (_suite, archive) => {
  let installed: InstalledMachine;
  let next: string;

  beforeAll(async () => {
    next = makeNextVersion();
    installed = await InstalledMachine.start(archive, SYSTEMD);
    installed.machine.copyIn(next, '/root/next.deb');
  });
  afterAll(async () => {
    await installed.stop();
    rmSync(dirname(next), { recursive: true });
  });

  async function property(name: string): Promise<string> {
    return (await installed.output(`systemctl show --value --property=${name} ${UNIT}`)).trim();
  }

  /** Waits until the service has told systemd that it is ready, as the n-th start since the last command. */
  async function ready(restarts = 0): Promise<void> {
    const wanted = ['active', String(restarts), 'ready: '];
    for (const until = Date.now() + WAIT_MS; ; await sleep(CHECK_MS)) {
      const found = [await property('ActiveState'), await property('NRestarts'), await property('StatusText')];
      if (found.every((value, index) => value.startsWith(wanted[index] ?? ''))) return;
      if (Date.now() < until) continue;
      throw new Error(
        `${found.join(', ')}: ${await installed.output(`journalctl --no-pager --lines=50 --unit=${UNIT}`)}`,
      );
    }
  }

  it('is started by the installation, and has told systemd that it is ready by then', async () => {
    const { code, out } = await installed.apt('install', '/root/ringdown.deb');
    expect(code).toBe(0);
    expect(out).toContain('Ringdown is installed, and runs. "ringdown status" shows its addresses');
    expect(await property('StatusText')).toBe('ready: https://localhost:8443/');
    expect(await property('Type')).toBe('notify');
    expect(await installed.visit('kept')).toBe('kept\n');
    expect(await installed.output('ringdown backup')).toContain('Backup complete: /var/backups/ringdown/');
    expect(await installed.output(`journalctl --no-pager --unit=${UNIT}`)).toContain('Ringdown is running.');
  });

  it('is in its sandbox, and works there', async () => {
    const pid = await property('MainPID');
    const rights = await installed.output(`grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/${pid}/status`);
    const user = (await installed.output('id -u ringdown')).trim();
    // The one capability is that of ports below 1024.
    expect(rights.split('\n').map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
      ['Uid:', user],
      ['CapEff:', '0000000000000400'],
      ['CapBnd:', '0000000000000400'],
      ['NoNewPrivs:', '1'],
      ['Seccomp:', '2'],
      [''],
    ]);
    const inside = (line: string): Promise<string> =>
      installed.output(
        `nsenter --target=${pid} --mount setpriv --reuid=ringdown --regid=ringdown --clear-groups sh -c '${line}' 2>&1 || true`,
      );
    expect(await inside('mkdir /usr/lib/ringdown/new')).toContain('Read-only file system');
    expect(await inside('ls /home/visitor')).toContain('Permission denied');
    expect(await inside('ls -d /proc/1')).toContain('No such file or directory');
    expect(await inside('mkdir /var/lib/ringdown/new && rmdir /var/lib/ringdown/new && echo written')).toBe(
      'written\n',
    );
    const exposure = await installed.output(`systemd-analyze security --no-pager ${UNIT} | grep 'Overall exposure'`);
    expect(Number(/: ([\d.]+) /.exec(exposure)?.[1])).toBeLessThan(2);
  });

  it('opens port 443, and is restarted, stopped and started by the command', async () => {
    await installed.output(`echo PORT=443 >>${SETTINGS}; ringdown restart`);
    expect(await property('StatusText')).toBe('ready: https://localhost/');
    await installed.output('ringdown stop');
    expect([await property('ActiveState'), await property('Result')]).toEqual(['inactive', 'success']);
    await installed.output(`sed -i '/^PORT=/d' ${SETTINGS}; ringdown start`);
    expect(await installed.visit('kept', 'no')).toBe('kept\n');
  });

  it('is started again by the watchdog when its event loop stands still', async () => {
    await installed.output(`mkdir ${DROP_IN}; printf '[Service]\\nWatchdogSec=4\\n' >${DROP_IN}/watchdog.conf`);
    await installed.output('systemctl daemon-reload; ringdown restart');
    // Signs of life come in time while nothing is wrong.
    await sleep(RESTART_MS);
    await ready(0);
    await installed.output(`kill -STOP ${await property('MainPID')}`);
    await ready(1);
    expect(await installed.visit('kept', 'no')).toBe('kept\n');
    await installed.output(`rm -r ${DROP_IN}; systemctl daemon-reload; ringdown restart`);
  });

  it('is started again with its data when all of it is killed, and after a loss of power', async () => {
    await installed.output(`systemctl kill --signal=KILL ${UNIT}`);
    await ready(1);
    expect(await installed.visit('killed')).toBe('killed\n');
    await installed.machine.losePower();
    await installed.machine.bootAgain();
    await ready();
    expect(await installed.visit('killed', 'no')).toBe('killed\n');
  });

  it('is not tried again with wrong settings', async () => {
    const wrong = await installed.machine.run(0, `echo PROT=1 >>${SETTINGS}; ringdown restart`);
    expect(wrong.code).not.toBe(0);
    await sleep(RESTART_MS);
    const names = ['ActiveState', 'ExecMainStatus', 'NRestarts'];
    expect(await Promise.all(names.map(property))).toEqual(['failed', '2', '0']);
    await installed.output(`sed -i '/^PROT=/d' ${SETTINGS}; ringdown start`);
    await ready();
  });

  it('is upgraded by apt, refuses newer data without trying again, and is taken back', async () => {
    expect((await installed.apt('install', '/root/next.deb')).out).toContain('Ringdown is installed, and runs.');
    expect(await installed.output('ringdown status')).toContain('Way back ');
    expect(await installed.visit('newer')).toBe('newer\n');
    const back = await installed.apt('install', '--allow-downgrades', '/root/ringdown.deb');
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining('Ringdown is installed, and does not run: ') });
    expect(await property('ExecMainStatus')).toBe('2');
    expect(await installed.output(`journalctl --no-pager --unit=${UNIT}`)).toContain(
      `is of Ringdown ${NEXT_VERSION} (schema `,
    );
    await installed.output('ringdown downgrade && ringdown start');
    expect(await installed.visit('killed', 'no')).toBe('killed\n');
  });

  it('is stopped when it is removed, and leaves no unit when it is purged', async () => {
    const { code, out } = await installed.apt('purge', 'ringdown');
    expect(code).toBe(0);
    expect(out).toContain('Data and settings of Ringdown are deleted.');
    expect(await property('LoadState')).toBe('not-found');
    expect(await installed.output(`grep -l 'ringdow[n]' /proc/[0-9]*/cmdline 2>/dev/null || true`)).toBe('');
  });
});
