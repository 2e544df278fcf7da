import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandAs, findAccount, serverUser } from './server-user.js';

describe('the account that PostgreSQL runs as for root', () => {
  it.each([
    ['root:x:0:0::/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\ndaemon:x:1:1::/:/bin/false\n', { uid: 1, gid: 1 }],
    ['root:x:0:0::/root:/bin/sh\ntoor:x:0:0::/root:/bin/sh\nme:x:1000:1001::/:/bin/sh\n', { uid: 1000, gid: 1001 }],
    ['root:x:0:0::/root:/bin/sh\n', undefined],
    ['', undefined],
  ])('is a user of the passwd file %j who owns nothing, or else any but root', (passwd, account) => {
    const found = findAccount(passwd);
    expect(found && { uid: found.uid, gid: found.gid }).toEqual(account);
  });
});

describe('the command that PostgreSQL is run by', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-user-'));
  const path = process.env['PATH'];
  beforeAll(() => {
    for (const name of ['unshare', 'setpriv'])
      writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    process.env['PATH'] = `${folder}:${path}`;
  });
  afterAll(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  const passwd = 'root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\nme:x:1000:1000::/home/me:/bin/sh\n';

  it('has the variables for the program alone', () => {
    const program = join(folder, 'a=b', 'program');
    mkdirSync(join(folder, 'a=b'));
    writeFileSync(program, '#!/bin/sh\necho "program $FOLDER $1"\n', { mode: 0o755 });
    const variables = { FOLDER: '/some libraries' };
    const own = (): void => undefined;
    expect(commandAs({ prefix: [], own }, program, variables)).toEqual({ command: program, args: [], env: variables });
    const prefix = ['sh', '-c', 'echo "before $FOLDER"; exec "$@"', 'sh'];
    const { command, args, env } = commandAs({ prefix, own }, program, variables);
    const output = execFileSync(command, [...args, 'argument'], { env: { PATH: path, ...env }, encoding: 'utf8' });
    expect(output).toBe('before \nprogram /some libraries argument\n');
  });

  it('is none for a user who is not root', () => {
    expect(serverUser({ uid: 1000, passwd, isKnown: true }).prefix).toEqual([]);
  });

  it('is reported as missing in one line where a user without an entry may not be mapped', () => {
    expect(() => serverUser({ uid: 4711, passwd, isKnown: false })).toThrow(
      /^PostgreSQL does not run as user 4711, which \/etc\/passwd does not have, and unshare [^\n]*$/,
    );
  });

  it('is reported as missing in one line where root may not become the owner of the files', () => {
    const reach = { folder, present: folder, program: process.execPath };
    expect(() => serverUser({ uid: 0, owner: { uid: 1000, gid: 1000 }, reach, passwd })).toThrow(
      /^the files of PostgreSQL belong to user 1000, and root cannot run it as that user [^\n]*$/,
    );
  });

  it('is reported as missing in one line where root may neither map nor change its user', () => {
    expect(() => serverUser({ uid: 0, passwd })).toThrow(
      /^PostgreSQL does not run as root, and neither unshare .* nor setpriv [^\n]*$/,
    );
  });

  describe('where the files belong to another user', () => {
    const owner = { uid: 1000, gid: 1000 };
    /** As if that user reached everything, or only with the right to enter all folders. */
    function setpriv({ reaches }: { readonly reaches: boolean }): void {
      const script = `#!/bin/sh\ncase "$*" in *dac_read_search*) exit 0;; esac\nexit ${reaches ? 0 : 1}\n`;
      writeFileSync(join(folder, 'setpriv'), script, { mode: 0o755 });
    }
    const prefixIn = (place: string): readonly string[] =>
      serverUser({ uid: 0, owner, reach: { folder: place, present: place, program: '/bin/sh' }, passwd }).prefix;

    it('gives that user no right to read the files of others', () => {
      setpriv({ reaches: true });
      expect(prefixIn('/etc')).toEqual(['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--']);
    });

    it('lets that user enter folders of root where only those are in the way', () => {
      setpriv({ reaches: false });
      expect(prefixIn('/etc').join(' ')).toContain('--ambient-caps=+dac_read_search');
    });

    it('does not where that user may have put the files below a folder that cannot be entered', () => {
      setpriv({ reaches: false });
      const own = join(folder, 'own');
      mkdirSync(join(own, 'database'), { recursive: true });
      if (process.getuid?.() === 0) chownSync(own, owner.uid, owner.gid);
      expect(() => prefixIn(join(own, 'database'))).toThrow(/^the files of PostgreSQL belong to user 1000, [^\n]*$/);
    });
  });
});
