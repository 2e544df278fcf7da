import { jest } from '@jest/globals';
import { basename } from 'node:path';
import { DebianRoot, ROOT, VISITOR } from '../src/debian-root.js';
import { commandsUnder, linesOf } from '../src/documents.js';
import { ROOTS, TARBALL } from '../src/given.js';
import { becomeNextVersion } from '../src/next-version.js';
import { VISITOR_PROGRAM } from '../src/visitor.js';

jest.setTimeout(300_000);

const FOLDER = basename(TARBALL).replace(/-linux-.*$/, '');
const [, GUIDE = ''] = commandsUnder('docs/guides/operating.md', 'An installed package');
/** Uncompressed here, and of this version. */
const [UNPACK = '', START = ''] = linesOf(
  GUIDE.replace(/-linux-amd64\.tar\.\w+/, '-linux-amd64.tar').replaceAll('ringdown-VERSION', FOLDER),
);
const USERS = [
  { who: 'root', user: ROOT, home: '/root' },
  { who: 'a plain user', user: VISITOR, home: '/home/visitor' },
];

describe.each(ROOTS)('the tarball on %s', (_suite, archive) => {
  let machine: DebianRoot;
  beforeAll(async () => {
    machine = await DebianRoot.start(archive);
    machine.copyIn(TARBALL, `/srv/${basename(TARBALL)}`);
  });
  afterAll(() => machine.stop());

  /** Posts a record, unless it is known, and finds its call. */
  function visit(user: number, home: string, program: string, callId: string, post = 'yes'): Promise<string> {
    const data = `${home}/.local/share/ringdown`;
    return machine.output(user, `"${program}/node/bin/node" --eval "$CODE" ${data} 8443 8080 ${callId}`, {
      CODE: VISITOR_PROGRAM,
      NODE_EXTRA_CA_CERTS: `${data}/tls/cert.pem`,
      POST: post,
    });
  }

  it.each(USERS)(
    'is unpacked and started as $who, accepts a record, is copied, moved and started again',
    async ({ user, home }) => {
      const place = `${home}/a place`;
      const program = `${place}/${FOLDER}`;
      await machine.output(user, `mkdir "${place}" && cd "${place}" && ln -s /srv/*.tar . && ${UNPACK}`);
      const began = performance.now();
      const started = await machine.output(user, `cd "${place}" && ${START}`);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      process.stderr.write(`first start as user ${user}: ${seconds} s\n`);
      expect(started).toContain('Ringdown is running. "ringdown stop" stops it, "ringdown status" shows its state.\n');
      expect(started).not.toMatch(/\bnpm\b/);
      expect(await visit(user, home, program, 'first-call')).toBe('first-call\n');
      expect(await machine.run(user, `"${program}/bin/ringdown" status`)).toMatchObject({
        code: 0,
        out: expect.stringContaining('Ringdown is running and ready'),
      });
      expect(await machine.output(user, `"${program}/bin/ringdown" start`)).toContain(
        'Ringdown runs already: process ',
      );
      expect(await machine.output(user, `"${program}/bin/ringdown" people list`)).toContain('carol@example.test');
      const backup = await machine.output(user, `"${program}/bin/ringdown" backup`);
      expect(backup).toContain(`Backup complete: ${home}/.local/share/ringdown-backups/`);
      expect(await machine.output(user, `"${program}/bin/ringdown" stop`)).toContain('Ringdown has stopped');
      expect(await machine.run(user, `"${program}/bin/ringdown" status`)).toMatchObject({ code: 3 });

      // Another folder, which cannot be written, called by a link: data are elsewhere.
      await machine.output(user, `mv "${program}" "${home}/moved" && rm -r "${place}" && chmod -R a-w "${home}/moved"`);
      await machine.output(user, `mkdir -p bin && ln -s ../moved/bin/ringdown bin/ringdown`);
      await machine.output(user, 'cd /tmp && ~/bin/ringdown start');
      expect(await visit(user, home, `${home}/moved`, 'first-call', 'no')).toBe('first-call\n');
      expect(await machine.output(user, 'bin/ringdown restart')).toContain('Ringdown is running.');
      expect(await machine.output(user, 'bin/ringdown stop')).toContain('Ringdown has stopped');
      expect(await machine.output(ROOT, "ls /proc | grep -c '^[0-9]*$' || true")).toMatch(/^\d\n$/);
    },
  );

  it('runs with the rights of the owner of the data where root calls it', async () => {
    const command = '/home/visitor/moved/bin/ringdown';
    const env = { DATA_DIR: '/home/visitor/.local/share/ringdown' };
    await machine.output(ROOT, `chmod 755 /home/visitor && ${command} start`, env);
    expect(await visit(VISITOR, '/home/visitor', '/home/visitor/moved', 'first-call', 'no')).toBe('first-call\n');
    await machine.output(ROOT, `${command} backup /home/visitor/from-root`, env);
    await machine.output(ROOT, `${command} stop`, env);
    expect(await machine.output(ROOT, 'find /home/visitor -not -user visitor -not -name "*.tar"')).toBe('');
  });

  it('is upgraded by the folder of the next version, and taken back by its downgrade', async () => {
    const [moved, next] = ['moved/bin/ringdown', 'next/bin/ringdown'];
    await machine.output(VISITOR, 'cp -r moved next && chmod -R u+w next');
    becomeNextVersion(`${machine.folder}/home/visitor/next`);
    expect(await machine.output(VISITOR, `${next} start`)).toMatch(
      /files copied in \S+ s; way back: ringdown downgrade\n/,
    );
    expect(await visit(VISITOR, '/home/visitor', '/home/visitor/next', 'first-call', 'no')).toBe('first-call\n');
    await machine.output(VISITOR, `${next} stop`);
    expect(await machine.run(VISITOR, `${moved} start`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^ringdown: the data folder .* is of Ringdown .*\n$/),
    });
    expect(await machine.output(VISITOR, `${next} downgrade`)).toContain('install that version and start it\n');
    await machine.output(VISITOR, `${moved} start`);
    expect(await visit(VISITOR, '/home/visitor', '/home/visitor/moved', 'first-call', 'no')).toBe('first-call\n');
    await machine.output(VISITOR, `${moved} stop`);
  });

  it('says what is wrong in one line', async () => {
    const command = '/home/visitor/moved/bin/ringdown';
    expect(await machine.run(VISITOR, `${command} bogus`)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^ringdown: unknown command "bogus"\n\nUsage: ringdown COMMAND/),
    });
    await machine.output(VISITOR, 'mkdir -p .config/ringdown && echo PROT=1 > .config/ringdown/ringdown.env');
    expect(await machine.run(VISITOR, `${command} start`)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^ringdown: PROT is not a setting; did you mean PORT\?\n/),
    });
    await machine.output(
      ROOT,
      'chown root:root /home/visitor/.config/ringdown/ringdown.env && chmod 600 /home/visitor/.config/ringdown/ringdown.env',
    );
    expect(await machine.run(VISITOR, `${command} status`)).toEqual({
      code: 1,
      out: '',
      err: 'ringdown: /home/visitor/.config/ringdown/ringdown.env is for root and the group ringdown: call this command with sudo\n',
    });
  });
});
