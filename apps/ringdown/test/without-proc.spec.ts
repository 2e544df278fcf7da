import { findNatsServer } from '@ringdown/embedded/bus';
import { freePorts } from '@ringdown/testing/launched-system';
import { programFile } from '@ringdown/testing/program-file';
import { processesIn } from '@ringdown/testing/running-processes';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A plain user, as on somebody's own machine. */
const NOBODY = 65_534;

/** `ps -A` of POSIX where `/proc` is hidden: it reads what is kept at another place. */
const PS = `#!/bin/sh
exec 2>/dev/null # processes that end meanwhile
for folder in PROC/[0-9]*; do
  args=$(tr '\\0' ' ' < $folder/cmdline) || continue
  parent=$(sed -n 's/^PPid:[^0-9]*//p' $folder/status)
  echo "\${folder##*/} $parent $args"
done
`;

const SCRIPT = `
start() {
  "$NODE" "$RINGDOWN" > "$FOLDER/log" 2>&1 &
  system=$!
  for half_second in $(seq 400); do
    grep -q 'Ringdown is running' "$FOLDER/log" && return
    kill -0 $system 2>/dev/null || break
    sleep 0.5
  done
  cat "$FOLDER/log"
}
start
"$NODE" "$STATUS" > /dev/null && echo "ready"
kill -9 $system
wait $system 2>/dev/null
start
"$NODE" "$STATUS" > /dev/null && echo "ready again"
ps | grep -c -e "[n]ats-server .*$DATA_DIR" -e "postgres -D $DATA_DIR[/]"
"$NODE" "$STOP"
`;

describe('a system without /proc and apt, such as macOS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-no-proc-'));
  const data = join(folder, 'data');
  afterAll(() => {
    for (const { pid } of processesIn(folder)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a script as a plain user in a mount namespace where /proc is empty. */
  function run(
    natsServer: string,
    env: Readonly<Record<string, string>>,
  ): { readonly out: string; readonly code: number | null } {
    const [proc, bin] = [join(folder, 'kept'), join(folder, 'bin')];
    mkdirSync(proc);
    mkdirSync(bin);
    for (const tool of ['cat', 'grep', 'kill', 'sed', 'seq', 'sh', 'sleep', 'tr'])
      symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(bin, tool));
    symlinkSync(natsServer, join(bin, 'nats-server'));
    writeFileSync(join(bin, 'ps'), PS.replace('PROC', proc), { mode: 0o755 });
    writeFileSync(join(folder, 'script'), SCRIPT);
    chmodSync(folder, 0o755);
    for (const path of [
      folder,
      data,
      ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => join(data, name)),
    ])
      chownSync(path, NOBODY, NOBODY);
    const outer = `mount -t proc proc ${proc} && mount -t tmpfs none /proc && exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups env PATH=${bin} sh ${folder}/script`;
    const { stdout, stderr, status } = spawnSync(
      'unshare',
      ['--mount', '--propagation', 'private', 'sh', '-c', outer],
      {
        env: { ...env, PATH: process.env['PATH'] ?? '', FOLDER: folder, HOME: folder, DATA_DIR: data },
        encoding: 'utf8',
      },
    );
    return { out: stdout + stderr, code: status };
  }

  it('starts, ends what a killed run has left, tells its state, and stops', async () => {
    await seedDatabase(join(data, 'database'));
    const programs = {
      NODE: process.execPath,
      RINGDOWN: programFile('ringdown'),
      STATUS: programFile('ringdown', 'status'),
      STOP: programFile('ringdown', 'stop'),
    };
    const { command = '' } = (await findNatsServer()) ?? {};
    const { out, code } = run(command, { ...(await freePorts()), ...programs, INNER_PORT: '0', UPGRADE_COPY: 'off' });
    expect(out).toMatch(/^ready\nready again\n2\nRingdown has stopped: process \d+, data in \S+\n$/);
    expect(code).toBe(0);
    expect(processesIn(data)).toEqual([]);
  });
});
