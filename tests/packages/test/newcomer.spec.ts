import { jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Browser } from '../src/browser.js';
import { ROOT } from '../src/debian-root.js';
import { commandsUnder, linesOf } from '../src/documents.js';
import { DEB, ROOTS } from '../src/given.js';
import { InstalledMachine } from '../src/installed.js';

jest.setTimeout(300_000);

const [INSTALL = ''] = commandsUnder('README.md', 'As a package');
const [GUIDE = ''] = commandsUnder('docs/guides/operating.md', 'An installed package');
/** What is promised to somebody who has never seen it. */
const MOST_SECONDS = 120;
const BACKUP = '/var/backups/ringdown/mine';

/** A line of the shell for each command of the help, after which the system is as the next line needs it. */
const EACH: Readonly<Record<string, string>> = {
  start: 'ringdown start',
  status: 'ringdown status',
  doctor: 'ringdown doctor',
  people: 'ringdown people list',
  backup: `ringdown backup ${BACKUP}`,
  'dead-letters': 'ringdown dead-letters list',
  demo: 'timeout --signal=INT 5 ringdown demo; test $? = 130 -o $? = 124',
  restart: 'ringdown restart',
  stop: 'ringdown stop',
  migrate: 'ringdown migrate --dry-run',
  restore: `ringdown restore ${BACKUP} --replace`,
  downgrade: 'ringdown downgrade --forget',
  run: 'timeout --preserve-status --signal=TERM 20 ringdown run',
  sizing: 'ringdown sizing --calls-per-hour 1000',
  sender: 'ringdown sender --help',
  version: 'ringdown version',
};

describe.each(ROOTS)('a newcomer with a package on %s', (suite, archive) => {
  let installed: InstalledMachine;

  beforeAll(async () => {
    installed = await InstalledMachine.start(archive);
    // Where `npm run package` leaves it in the checkout.
    mkdirSync(join(installed.machine.folder, 'root/out'));
    installed.machine.copyIn(DEB, `/root/out/${basename(DEB)}`);
  });
  afterAll(() => installed.stop());

  /** A line of a document, of root: the smallest Debian has no sudo. */
  function runLine(line: string): Promise<string> {
    const version = /_([^_]+)_/.exec(basename(DEB))?.[1] ?? '';
    return installed.output(line.replace(/^sudo /, '').replace('VERSION', version));
  }

  it('sees a call in the console less than two minutes after the first line of README.md, without a network', async () => {
    const began = performance.now();
    const past = (): string => ((performance.now() - began) / 1_000).toFixed(1);
    const [build, install = ''] = linesOf(INSTALL);
    expect(build).toBe('npm run package');
    expect(await runLine(install)).toContain('Start it with: ringdown start');
    const times = [`installed ${past()} s`];
    const [again = '', status = '', users = '', ...others] = linesOf(GUIDE);
    expect([again, others]).toEqual(['sudo apt-get install ./out/ringdown_VERSION_amd64.deb', []]);
    expect(await runLine('sudo ringdown start')).toContain('ringdown demo\n');
    times.push(`started ${past()} s`);
    const [, console = ''] = /^ +Console +(\S+)$/m.exec(await runLine(status)) ?? [];
    const known: readonly { readonly username: string; readonly password: string }[] = JSON.parse(await runLine(users));
    const carol = known.find(({ username }) => username.startsWith('carol@'));
    const browser = await Browser.open(installed.machine.pid, console);
    const demo = installed.machine.run(ROOT, 'ringdown demo >/tmp/demo 2>&1 & echo $! >/run/demo; wait');
    try {
      await browser.type('input[autocomplete=username]', carol?.username ?? '');
      await browser.type('input[type=password]', carol?.password ?? '');
      await browser.until("document.querySelector('form button')?.click() === undefined");
      times.push(`signed in ${past()} s`);
      await browser.until('document.querySelector(\'a[href*="/console/calls/"], [data-call-id]\')?.textContent');
      times.push(`a call in the console ${past()} s`);
      expect(Number(past())).toBeLessThan(MOST_SECONDS);
    } finally {
      process.stderr.write(`a newcomer's walk on ${suite}: ${times.join(', ')}\n`);
      await browser.close();
      await installed.output('kill -TERM $(cat /run/demo)');
      await demo;
    }
    expect(await runLine(again)).toContain('ringdown is already the newest version');
  });

  it('can run each command of the help', async () => {
    const help = await installed.output('ringdown --help');
    const names = [...help.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    expect(Object.keys(EACH).toSorted()).toEqual(names.toSorted());
    for (const line of Object.values(EACH)) {
      const { code, out, err } = await installed.machine.run(ROOT, line);
      expect({ line, code, out, err }).toEqual({ line, code: 0, out, err });
    }
  });
});
