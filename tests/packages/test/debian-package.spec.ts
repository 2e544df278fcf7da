import { jest } from '@jest/globals';
import { VISITOR } from '../src/debian-root.js';
import { ROOTS } from '../src/given.js';
import { DATA, InstalledMachine } from '../src/installed.js';

jest.setTimeout(300_000);

/** A link to the unit. */
const ENABLED = '/etc/systemd/system/multi-user.target.wants/ringdown.service';

describe.each(ROOTS)('the Debian package on %s', (_suite, archive) => {
  let installed: InstalledMachine;
  beforeAll(async () => {
    installed = await InstalledMachine.start(archive);
  });
  afterAll(() => installed.stop());

  it('is installed by apt without a network and without systemd, and says how it is started', async () => {
    const { code, out } = await installed.apt('install', '/root/ringdown.deb');
    expect(out).toContain('Ringdown is installed. Start it with: ringdown start\n');
    expect(code).toBe(0);
    expect(await installed.output('dpkg --verify ringdown')).toBe('');
    // For a systemd that runs later.
    expect(await installed.output(`readlink -f ${ENABLED}`)).toBe('/usr/lib/systemd/system/ringdown.service\n');
  });

  it('has a user of its own, and folders that only this user may read', async () => {
    expect(await installed.output('getent passwd ringdown')).toMatch(
      /^ringdown:x:\d{3}:\d{3}:[^:]*:\/var\/lib\/ringdown:\/usr\/sbin\/nologin\n$/,
    );
    const folders =
      '/var/lib/ringdown /var/backups/ringdown /var/cache/ringdown /etc/ringdown /etc/ringdown/ringdown.env';
    expect(await installed.output(`stat -c '%a %U:%G %n' ${folders}`)).toBe(
      [
        '700 ringdown:ringdown /var/lib/ringdown',
        '700 ringdown:ringdown /var/backups/ringdown',
        '700 ringdown:ringdown /var/cache/ringdown',
        '755 root:root /etc/ringdown',
        '640 root:ringdown /etc/ringdown/ringdown.env\n',
      ].join('\n'),
    );
  });

  it('starts as this user where root calls the command, and makes a call of a record', async () => {
    expect(await installed.output('ringdown start')).toContain('Ringdown is running. "ringdown stop" stops it');
    expect(await installed.visit('first-call')).toBe('first-call\n');
    expect(await installed.output('ringdown status')).toContain('Ringdown is running and ready');
    expect(await installed.output('ringdown people list')).toContain('carol@example.test');
    expect(await installed.output('ringdown backup')).toContain('Backup complete: /var/backups/ringdown/');
    const owners = await installed.output(
      'find /var/lib/ringdown /var/backups/ringdown /var/cache/ringdown -not -user ringdown',
    );
    expect(owners).toBe('');
    // Its programs as well: none runs as root.
    expect(
      await installed.output(
        "stat -c %U $(grep -l 'ringdow[n]' /proc/[0-9]*/cmdline | sed 's/cmdline//') 2>/dev/null | sort -u",
      ),
    ).toBe('ringdown\n');
    expect(await installed.output('ls /var/cache/ringdown')).not.toBe('');
  });

  it('tells users without rights to call commands with sudo', async () => {
    expect(await installed.machine.run(VISITOR, 'ringdown status')).toEqual({
      code: 1,
      out: '',
      err: 'ringdown: /etc/ringdown/ringdown.env is for root and the group ringdown: call this command with sudo\n',
    });
    expect(await installed.machine.output(VISITOR, 'ringdown --help')).toContain('Usage: ringdown COMMAND');
  });

  it('is stopped when it is removed, keeps data and settings, and says where', async () => {
    await installed.output("echo 'SIP_DOMAINS=example.test, branch.example' >> /etc/ringdown/ringdown.env");
    const { code, out } = await installed.apt('remove', 'ringdown');
    expect(code).toBe(0);
    expect(out).toContain('Ringdown has stopped: process ');
    expect(out).toContain(
      'The data stay in /var/lib/ringdown, the settings in /etc/ringdown: "apt purge ringdown" deletes both. The backups stay in /var/backups/ringdown.\n',
    );
    expect(await installed.output('ls /usr/lib/ringdown /usr/bin/ringdown 2>/dev/null || true')).toBe('');
    expect(await installed.output(`ls ${DATA}`)).toContain('database\n');
    expect(await installed.output(`grep -l 'ringdow[n]' /proc/[0-9]*/cmdline 2>/dev/null || true`)).toBe('');
  });

  it('has the data and the changed settings again when it is installed again', async () => {
    expect(await installed.apt('install', '/root/ringdown.deb')).toMatchObject({ code: 0 });
    expect(await installed.output('cat /etc/ringdown/ringdown.env')).toContain('branch.example');
    await installed.output('ringdown start');
    expect(await installed.visit('first-call', 'no')).toBe('first-call\n');
  });

  it('is restarted when it is installed over itself while it runs', async () => {
    const { code, out } = await installed.apt('install', '--reinstall', '/root/ringdown.deb');
    expect(code).toBe(0);
    expect(out).toContain('Ringdown is installed, and runs with the new version.\n');
    expect(await installed.visit('first-call', 'no')).toBe('first-call\n');
  });

  it('is deleted with data and settings when it is purged, but for backups, and says so', async () => {
    await installed.output(
      'mkdir /srv/mine && echo kept > /srv/mine/file && ln -s /srv/mine /var/lib/ringdown/link && chown -h ringdown:ringdown /var/lib/ringdown/link',
    );
    const { code, out } = await installed.apt('purge', 'ringdown');
    expect(code).toBe(0);
    expect(out).toContain('Data and settings of Ringdown are deleted. The backups stay in /var/backups/ringdown.\n');
    const paths = '/var/lib/ringdown /etc/ringdown /var/cache/ringdown /usr/lib/ringdown /usr/bin/ringdown';
    expect(await installed.output(`ls -d ${paths} ${ENABLED} 2>/dev/null || true`)).toBe('');
    expect(await installed.output('ls /var/backups/ringdown | wc -l; cat /srv/mine/file')).toBe('1\nkept\n');
    expect(await installed.output('dpkg --list ringdown 2>&1 | grep -c ^ii || true')).toBe('0\n');
  });

  it('keeps what a link of the operator leads to when it is purged', async () => {
    await installed.output('mkdir -p /srv/data && ln -s /srv/data /var/lib/ringdown');
    expect(await installed.apt('install', '/root/ringdown.deb')).toMatchObject({ code: 0 });
    await installed.output('touch /srv/data/kept');
    const { code, out } = await installed.apt('purge', 'ringdown');
    expect(code).toBe(0);
    expect(out).toContain('/var/lib/ringdown is a link: what it leads to is kept\n');
    expect(await installed.output('ls /srv/data')).toBe('kept\n');
  });

  it('is enabled, started, restarted and stopped by systemd where that runs', async () => {
    // What it would be told: no systemd is the first process of this machine.
    const fake = '#!/bin/sh\necho "$*" >>/run/told\ncase $* in *is-enabled*) echo enabled ;; esac\n';
    await installed.output(
      'mkdir -p /run/systemd/system; echo "$FAKE" >/usr/bin/systemctl; chmod +x /usr/bin/systemctl',
      { FAKE: fake },
    );
    const told = async (line: string): Promise<string> => {
      await installed.output(`: >/run/told; ${line}`);
      return installed.output("grep -o '[a-z]* ringdown.service$' /run/told");
    };
    const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -y -q';
    await installed.output('rm /var/lib/ringdown');
    const first = await told(`${apt} install /root/ringdown.deb`);
    expect(first).toContain('preset ringdown.service\n');
    expect(first).toContain('start ringdown.service\n');
    for (const verb of ['start', 'restart', 'stop'])
      expect(await told(`ringdown ${verb}`)).toBe(`${verb} ringdown.service\n`);
    expect(await told(`${apt} install --reinstall /root/ringdown.deb`)).toContain('restart ringdown.service\n');
    expect(await told(`${apt} remove ringdown`)).toContain('stop ringdown.service\n');
    expect(await installed.apt('purge', 'ringdown')).toMatchObject({ code: 0 });
  });
});
