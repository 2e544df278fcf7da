import { clockFindings, type ClockFacts } from './clock.js';
import { diskFindings, type DiskFacts } from './disk.js';
import { memoryFindings, type MemoryFacts } from './memory.js';
import { portFindings, type PortFacts } from './ports.js';
import { programFindings, type ProgramFacts } from './programs.js';
import { rightsFindings, type RightsFacts } from './rights.js';
import { settingProblems } from './settings.js';
import { findingLines as lines } from '../report.js';

describe('the doctor, of settings that cannot be read', () => {
  const file = 'A=1\n# PORT=1\nexport PORT=http\n';

  it('names the line of the file, or the environment', () => {
    const found = settingProblems(['PORT must be a number: http', 'TLS_CERT: ENOENT'], '/etc/ringdown.env', file);
    expect(lines(found)).toEqual([
      'problem: PORT must be a number: http → correct it in line 3 of /etc/ringdown.env; docs/settings.md has all settings',
      'problem: TLS_CERT: ENOENT → correct it where it is set, in the environment; docs/settings.md has all settings',
    ]);
  });
});

describe('the doctor, of rights', () => {
  const facts: RightsFacts = {
    dataDir: '/srv/data',
    owner: 999,
    exists: true,
    foreign: undefined,
    user: 999,
    hasName: true,
    needsName: true,
    readable: [],
  };

  it.each<[string, Partial<RightsFacts>, readonly string[]]>([
    ['the owner', {}, ['ok: user 999 may read and write /srv/data']],
    ['root', { user: 0 }, ['ok: user 0 may read and write /srv/data']],
    [
      'another user',
      { user: 1_000 },
      [
        'problem: /srv/data belongs to user 999 → run it as user 999, or, as root: install -d -o 1000 -m 0700 /srv/data',
      ],
    ],
    [
      'a folder that cannot be made',
      { exists: false, owner: 0, user: 1_000 },
      [
        'problem: /srv/data does not exist, nor may user 1000 make it → run it as user 0, or, as root: install -d -o 1000 -m 0700 /srv/data',
      ],
    ],
    [
      'files of two users, also for root',
      { user: 0, foreign: 'nats' },
      ['problem: /srv/data belongs to user 999, but nats in it does not → chown -R 999 /srv/data, as root'],
    ],
    [
      'a user without a name',
      { hasName: false },
      [
        'warning: user 999 has no entry in /etc/passwd; the database inside then needs user namespaces → start as a user with an entry, or set DATABASE_URL to a server of your own',
      ],
    ],
    [
      'secrets that everybody may read',
      { readable: ['/etc/ringdown.env'] },
      ['warning: everybody on this machine may read /etc/ringdown.env → chmod o-rwx /etc/ringdown.env'],
    ],
  ])('%s', (_what, change, expected) => expect(lines(rightsFindings({ ...facts, ...change }))).toEqual(expected));
});

describe('the doctor, of ports', () => {
  const web: PortFacts = { setting: 'PORT', port: 8_443, host: '0.0.0.0', hostSetting: 'LISTEN_HOST' };
  const feed: PortFacts = { setting: 'COLLECTOR_PORT', port: 8_080, host: '127.0.0.1', hostSetting: 'COLLECTOR_HOST' };

  it.each<[string, readonly PortFacts[], number | undefined, readonly string[]]>([
    ['free ones', [web, feed], undefined, ['ok: 8443, 8080: free']],
    [
      'one of another program',
      [{ ...web, code: 'EADDRINUSE', takenBy: { pid: 7, name: 'nginx' } }, feed],
      undefined,
      ['problem: port 8443 is in use by nginx (process 7) → end it, or set PORT to another port: PORT=9443'],
    ],
    [
      'one of a program that this user may not see',
      [{ ...web, code: 'EADDRINUSE' }],
      undefined,
      ['problem: port 8443 is in use by another program → end it, or set PORT to another port: PORT=9443'],
    ],
    [
      'those of the system that runs',
      [
        { ...web, code: 'EADDRINUSE', takenBy: { pid: 5, name: 'node' } },
        { ...feed, code: 'EADDRINUSE' },
      ],
      5,
      ['ok: 8443, 8080: open'],
    ],
    [
      'one of another program while a system runs',
      [{ ...web, code: 'EADDRINUSE', takenBy: { pid: 7, name: 'nginx' } }],
      5,
      ['problem: port 8443 is in use by nginx (process 7) → end it, or set PORT to another port: PORT=9443'],
    ],
    [
      'one below 1024',
      [{ ...web, port: 443, code: 'EACCES' }],
      undefined,
      [
        'problem: this user may not open port 443 → PORT=8443, or start it by the unit of the package, which has CAP_NET_BIND_SERVICE for ports below 1024',
      ],
    ],
    [
      'an address of another machine',
      [{ ...web, host: '192.0.2.7', code: 'EADDRNOTAVAIL' }],
      undefined,
      [
        'problem: port 8443 cannot be opened on 192.0.2.7: EADDRNOTAVAIL → set LISTEN_HOST to an address of this machine',
      ],
    ],
    [
      'the same twice',
      [web, { ...feed, port: 8_443 }],
      undefined,
      ['problem: two settings are port 8443, COLLECTOR_PORT is one → COLLECTOR_PORT=8444'],
    ],
  ])('%s', (_what, ports, own, expected) => expect(lines(portFindings(ports, own))).toEqual(expected));
});

describe('the doctor, of disk and memory', () => {
  const disk: DiskFacts = { dataDir: '/srv/data', freeBytes: 50_000_000_000, lines: [] };
  const room =
    'make room, set DATA_DIR to a larger disk, or RECORDS_MAX_BYTES to less (docs/guides/operating.md, "Sizing")';

  it.each<[string, Partial<DiskFacts>, readonly string[]]>([
    ['a large disk', {}, ['ok: 50.0 GB are free where /srv/data is']],
    ['a small one', { freeBytes: 1.9e9 }, [`warning: only 1.9 GB are free where /srv/data is → ${room}`]],
    ['what a start would print', { lines: ['the bus may use 1 MiB'] }, [`warning: the bus may use 1 MiB → ${room}`]],
    ['what a start would end with', { refusal: 'the bus may use 0' }, [`problem: the bus may use 0 → ${room}`]],
  ])('%s', (_what, change, expected) => expect(lines(diskFindings({ ...disk, ...change }))).toEqual(expected));

  const memory: MemoryFacts = { totalMb: 8_000, databaseMb: 64, descriptors: 65_536 };

  it.each<[string, Partial<MemoryFacts>, string]>([
    ['enough', {}, 'ok: 8000 MB, 65536 files and connections for a process'],
    ['little memory', { totalMb: 900 }, 'warning: this machine has 900 MB of memory → 1 GB is the least; '],
    ['a database that wants most of it', { databaseMb: 5_000 }, 'warning: DATABASE_MEMORY_MB is 5000, more than half'],
    ['a database of the operator', { databaseMb: undefined }, 'ok: '],
    [
      'few descriptors',
      { descriptors: 1_024 },
      'warning: a process may have 1024 files and connections open → LimitNOFILE',
    ],
    ['descriptors that cannot be told', { descriptors: undefined }, 'ok: 8000 MB, unknown files'],
  ])('%s', (_what, change, expected) =>
    expect(lines(memoryFindings({ ...memory, ...change }))).toEqual([expect.stringContaining(expected)]),
  );
});

describe('the doctor, of the clock and of programs', () => {
  const clock: ClockFacts = {
    now: new Date('2026-12-01T00:00:00Z'),
    builtAt: new Date('2026-11-01T00:00:00Z'),
    isSynchronized: true,
    aheadSeconds: 0.1,
  };

  it.each<[string, Partial<ClockFacts>, string]>([
    ['set by a server', {}, 'ok: 2026-12-01T00:00:00.000Z, set by a time server'],
    ['before the program was built', { builtAt: new Date('2027-01-01Z') }, 'problem: the clock says 2026-12-01'],
    ['not set by a server', { isSynchronized: false }, 'is not set by any server → install and start chrony'],
    ['unknown', { isSynchronized: undefined }, 'unknown: the clock says 2026-12-01'],
    ['of services that differ', { aheadSeconds: -3 }, 'problem: clocks differ by -3 seconds'],
    ['without a system that runs', { aheadSeconds: undefined }, 'ok: '],
  ])('%s', (_what, change, expected) =>
    expect(lines(clockFindings({ ...clock, ...change }))).toEqual([expect.stringContaining(expected)]),
  );

  const programs: ProgramFacts = {
    glibc: '2.36',
    isLinux: true,
    needsNats: true,
    nats: 'nats-server: v2.10.27',
    needsPostgres: true,
  };

  it.each<[string, Partial<ProgramFacts>, string]>([
    ['all there', {}, 'ok: nats-server: v2.10.27, glibc 2.36'],
    ['no nats-server', { nats: undefined }, 'problem: there is no nats-server of 2.10 or later → '],
    ['a bus of the operator', { needsNats: false, nats: undefined }, 'ok: bus of your own, glibc 2.36'],
    ['an old glibc', { glibc: '2.31' }, 'problem: glibc 2.31 is older than 2.34'],
    ['a glibc of another major version', { glibc: '3.0' }, 'ok: '],
    ['musl', { glibc: undefined }, 'problem: this system has no glibc, which the database inside needs'],
    ['musl with a database of the operator', { glibc: undefined, needsPostgres: false }, 'ok: '],
    ['macOS', { glibc: undefined, isLinux: false }, 'ok: '],
  ])('%s', (_what, change, expected) =>
    expect(lines(programFindings({ ...programs, ...change }))).toEqual([expect.stringContaining(expected)]),
  );
});
