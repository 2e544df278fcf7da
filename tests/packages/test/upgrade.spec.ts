import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../src/debian-root.js';
import { ROOTS } from '../src/given.js';
import { DATA, InstalledMachine } from '../src/installed.js';
import { makeNextVersion, NEXT_VERSION } from '../src/next-version.js';

jest.setTimeout(300_000);

/** Made by commit c8ee6b49, before there were packages: a backup, and the passwords of two people. */
const OLD = join(import.meta.dirname, '../../../../apps/ringdown/test/old-database');
/** What the first version here has made of that, and what a loss of power or an upgrade must not change. */
const KEPT = ['/api/calls?limit=200', '/api/searches', '/api/alert-rules', '/api/calls/41-C-0/timeline', '/api/people'];
const AS_OWNER = 'setpriv --reuid=ringdown --regid=ringdown --clear-groups';
/** Quicker than any step that the power is cut in. */
const LOOK_MS = 2;

let next: string;
beforeAll(() => {
  next = makeNextVersion();
});
afterAll(() => rmSync(dirname(next), { recursive: true }));

describe.each(ROOTS)('an upgrade of the Debian package on %s', (_suite, archive) => {
  let installed: InstalledMachine;
  let data: string;
  let version: string;
  let before: readonly unknown[];

  beforeAll(async () => {
    installed = await InstalledMachine.start(archive);
    installed.machine.copyIn(next, '/root/next.deb');
    data = join(installed.machine.folder, DATA);
  });
  afterAll(() => installed.stop());

  /** `data-version.json`, which says whose data they are. */
  function dataVersion(): Readonly<Record<string, unknown>> {
    return JSON.parse(readFileSync(join(data, 'data-version.json'), 'utf8'));
  }

  function copies(): readonly string[] {
    return existsSync(join(data, 'upgrades')) ? readdirSync(join(data, 'upgrades')) : [];
  }

  /** Cuts the power while a line of root is at work, as soon as its data are in a certain state, and boots again. */
  async function losePowerIn(line: string, isReached: () => boolean): Promise<void> {
    const cut = installed.machine.run(ROOT, line);
    const ended = cut.then(() => true);
    while (!isReached() && !(await Promise.race([ended, sleep(LOOK_MS, false)])));
    await installed.machine.losePower();
    const { out, err } = await cut;
    if (!isReached()) throw new Error(`"${line}" has not come so far, or further: ${out}${err}`);
    await installed.machine.bootAgain();
  }

  /** All calls of that commit are built again from their records, in the background. */
  async function rebuilt(): Promise<readonly unknown[]> {
    for (;;) {
      const answers = await installed.answers(KEPT);
      const { items }: { readonly items: readonly object[] } = Object(answers[0]);
      expect(items.length).toBeGreaterThan(25);
      if (items.every((call) => 'audio' in call)) return answers;
    }
  }

  it('begins with data of commit c8ee6b49, which the package takes over, and with a call of its own', async () => {
    const backup = join(installed.machine.folder, 'srv/backup');
    execFileSync('sh', ['-c', `mkdir "$1" && tar -xzf "$0/backup.tgz" -C "$1" && chmod -R a+rX "$1"`, OLD, backup]);
    expect(await installed.apt('install', '/root/ringdown.deb')).toMatchObject({ code: 0 });
    version = /^Ringdown (\S+)/.exec(await installed.output('ringdown version'))?.[1] ?? '';
    // Its calls are of November 2026.
    await installed.output('echo HISTORY_DAYS=36500 >>/etc/ringdown/ringdown.env; ringdown restore /srv/backup');
    await installed.output('ringdown start');
    expect(await installed.visit('before')).toBe('before\n');
    before = await rebuilt();
    const { passwords } = JSON.parse(gunzipSync(readFileSync(join(OLD, 'answers.json.gz'))).toString());
    const who = { WHO: 'dave@example.test', PASSWORD: passwords['dave@example.test'] };
    expect(await installed.answers(['/api/calls?limit=1'], who)).toHaveLength(1);
  });

  it('loses nothing when the power is cut while apt installs it, and while it changes the data', async () => {
    const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -y -q install /root/next.deb';
    await losePowerIn(apt, () => copies().some((name) => name.endsWith('.incomplete')));
    expect(await installed.output('dpkg --configure -a')).toContain('Start it with: ringdown start\n');
    await losePowerIn('ringdown start', () => dataVersion()['upgradingTo'] !== undefined);
    const started = await installed.output('ringdown start');
    expect(started).toContain('Ringdown is running.');
    expect(dataVersion()).toMatchObject({ version: NEXT_VERSION });
    expect(copies()).toEqual([expect.stringMatching(new RegExp(`Z-from-${RegExp.escape(version)}$`))]);
    expect(await installed.output('ringdown status')).toContain(
      `Way back                Ringdown ${version}, copy of `,
    );
    expect(await installed.answers(KEPT)).toEqual(before);
    expect(await installed.visit('after')).toBe('after\n');
  });

  it('is refused by the version before in one line, whose package is installed nevertheless', async () => {
    const { code, out } = await installed.apt('install', '--allow-downgrades', '/root/ringdown.deb');
    const line =
      `ringdown: the data folder ${DATA} (DATA_DIR) is of Ringdown ${NEXT_VERSION} (schema ${String(dataVersion()['schema'])}), and this is ` +
      `${version} (schema ${Number(dataVersion()['schema']) - 1}): install ${NEXT_VERSION} or later, or go back to the copy of ${version} (ringdown downgrade)\n`;
    expect(out).toContain(line);
    expect(out).toContain('Ringdown is installed, and has not started again: the lines above say why.');
    expect(code).toBe(0);
    expect(await installed.machine.run(ROOT, 'ringdown start')).toEqual({ code: 2, out: '', err: line });
  });

  it('is taken back by a downgrade, also when the power is cut in it: the older version has what it had', async () => {
    // Which takes a few milliseconds otherwise: each file at the top is moved by itself.
    await installed.output(`cd ${DATA} && seq --format=file-%.0f 20000 | ${AS_OWNER} xargs touch`);
    await losePowerIn('ringdown downgrade', () => existsSync(join(data, 'downgrade.json')));
    expect(await installed.machine.run(ROOT, 'ringdown start')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^ringdown: a downgrade of the data folder \S+ \(DATA_DIR\) was interrupted: end it first \(ringdown downgrade\)\n$/,
      ),
    });
    expect(await installed.output('ringdown downgrade')).toContain(`are those of Ringdown ${version} again`);
    await installed.output('ringdown start');
    expect(await installed.answers(KEPT)).toEqual(before);
    expect(await installed.visit('before', 'no')).toBe('before\n');
    await expect(installed.answers(['/api/calls/after'])).rejects.toThrow('404');
  });
});
