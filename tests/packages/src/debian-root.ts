import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SHELL, type FirstProcess } from './first-process.js';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A user of the machine, by the number. */
export const ROOT = 0;
export const VISITOR = 1_000;

/** The smallest Debian as a machine of its own. */
export class DebianRoot {
  private constructor(
    /** Its files, as this machine sees them; `/tmp` and `/run` are in memory, and are not among them. */
    readonly folder: string,
    private readonly first: FirstProcess,
    private running: Running,
  ) {}

  /** `archive`: made by deploy/ci/make-root.sh. */
  static async start(archive: string, first: FirstProcess = SHELL): Promise<DebianRoot> {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-root-'));
    run('tar', '--numeric-owner', '-xf', archive, '-C', folder);
    run('chmod', '755', folder);
    // The installer of Debian writes it; debootstrap does not.
    writeFileSync(join(folder, 'etc', 'hosts'), '127.0.0.1 localhost\n127.0.1.1 machine\n::1 localhost\n');
    run('chroot', folder, '/usr/sbin/useradd', '--uid', String(VISITOR), '--create-home', 'visitor');
    return new DebianRoot(folder, first, await boot(folder, first));
  }

  /** Its first process, as this machine numbers it. */
  get pid(): number {
    return this.running.pid;
  }

  /** Ends everything that runs there at once, as a loss of power does. What was written is on the disk. */
  async losePower(): Promise<void> {
    const { init, pid } = this.running;
    const ended = once(init, 'exit');
    process.kill(pid, 'SIGKILL');
    await ended;
    this.removeTraces(init);
  }

  /** Starts it again with what is on its disk. */
  async bootAgain(): Promise<void> {
    this.running = await boot(this.folder, this.first);
  }

  /** Runs a line of the shell there, with an environment of its own. */
  async run(user: number, line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const home = user === ROOT ? '/root' : '/home/visitor';
    const variables = Object.entries({ HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin', ...env });
    const rights = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    const words = [...rights, 'env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), 'sh', '-c'];
    const child = spawn('nsenter', enter(this.pid, ...words, `cd\n${line}`), { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: typeof code === 'number' ? code : null, out, err };
  }

  /** The output of a line that has to work. */
  async output(user: number, line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, out, err } = await this.run(user, line, env);
    if (code !== 0) throw new Error(`"${line}" ended with ${code}: ${err}${out}`);
    return out;
  }

  copyIn(file: string, path: string): void {
    cpSync(file, join(this.folder, path));
  }

  /** Ends everything that runs there, and removes it. */
  async stop(): Promise<void> {
    const { init } = this.running;
    const ended = init.exitCode === null ? once(init, 'exit') : undefined;
    init.stdin?.end();
    await ended;
    this.removeTraces(init);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private removeTraces({ pid }: ChildProcess): void {
    if (this.first.afterwards !== undefined)
      run('unshare', '--mount', 'sh', '-c', this.first.afterwards, 'sh', String(pid));
  }
}

interface Running {
  /** `unshare`, which ends with its child. */
  readonly init: ChildProcess;
  /** That child, the first process of the machine. */
  readonly pid: number;
}

async function boot(folder: string, { program, isReady }: FirstProcess): Promise<Running> {
  const init = spawn('unshare', ['--mount', 'sh', '-c', program, 'sh', folder], { stdio: ['pipe', 'ignore', 'pipe'] });
  const errors = text(init.stderr);
  const ended = once(init, 'exit').then(() => true);
  for (;;) {
    const pid = childOf(init.pid);
    if (pid !== undefined && spawnSync('nsenter', enter(pid, 'sh', '-c', isReady)).status === 0) return { init, pid };
    const pause = new Promise<boolean>((resolve) => setTimeout(resolve, 20, false));
    if (await Promise.race([ended, pause])) throw new Error(`the machine did not start: ${await errors}`);
  }
}

/** Of the namespaces of a process, and its root. */
function enter(pid: number, ...command: readonly string[]): string[] {
  return [`--target=${pid}`, '--mount', '--net', '--pid', '--uts', '--ipc', '--root', '--wd', '--', ...command];
}

/** `unshare` stays outside of the namespace of processes, and has one child. */
function childOf(pid: number | undefined): number | undefined {
  const { stdout } = spawnSync('cat', [`/proc/${pid}/task/${pid}/children`], { encoding: 'utf8' });
  const child = Number.parseInt(stdout, 10);
  return Number.isNaN(child) ? undefined : child;
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
