import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DebianRoot, ROOT, VISITOR } from '../src/debian-root.js';
import { ROOTS } from '../src/given.js';

/** Lines of the mounts of this machine that contain a text. */
function mountsOf(text: string): readonly string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(text));
}

describe.each(ROOTS)('a root of Debian: %s', (_suite, archive) => {
  let machine: DebianRoot;
  beforeAll(async () => {
    machine = await DebianRoot.start(archive);
  });
  afterAll(() => machine.stop());

  it('has nothing that a package could use by chance', async () => {
    const programs = 'node npm systemctl curl wget python3 nats-server postgres openssl ca-certificates';
    const line = `for program in ${programs}; do command -v $program || true; done; ls /etc/ssl/certs 2>/dev/null || true`;
    expect(await machine.output(ROOT, line)).toBe('');
  });

  it('has gzip for the tarball, and no xz', async () => {
    expect(await machine.output(VISITOR, 'command -v gzip xz || true')).toMatch(/^\S*\/gzip\n$/);
  });

  it('has only a loopback interface', async () => {
    const interfaces = await machine.output(VISITOR, "sed -n 's/^ *\\([^ :]*\\):.*/\\1/p' /proc/net/dev");
    expect(interfaces).toBe('lo\n');
    expect((await machine.run(VISITOR, 'bash -c "exec 3<>/dev/tcp/192.0.2.1/80"')).err).toMatch(
      /Network is unreachable/,
    );
  });

  it('has processes of its own, which keep running between commands', async () => {
    await machine.output(VISITOR, 'sleep 600 >/dev/null 2>&1 & echo $! > pid');
    expect(await machine.output(VISITOR, 'kill -0 $(cat pid) && echo runs')).toBe('runs\n');
    expect(await machine.output(VISITOR, 'id -un; hostname')).toBe('visitor\nmachine\n');
  });

  it('leaves no mounts and no processes, however the test ends', async () => {
    expect(mountsOf(machine.folder)).toEqual([]);
    const program = `import { DebianRoot } from '${import.meta.resolve('../src/debian-root.js')}';
      const machine = await DebianRoot.start('${archive}');
      await machine.output(0, 'sleep 4321 >/dev/null 2>&1 & true');
      console.log(machine.folder);
      setInterval(() => undefined, 1_000);`;
    const test = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(test.stdout, 'data');
    const folder = String(line).trim();
    test.kill('SIGKILL');
    await once(test, 'exit');
    const left = spawn('sh', [
      '-c',
      `while pgrep -f 'sleep 432[1]' >/dev/null; do sleep 0.05; done; rm -r "$0"`,
      folder,
    ]);
    expect(await once(left, 'exit')).toEqual([0, null]);
    expect(mountsOf(folder)).toEqual([]);
  });
});
