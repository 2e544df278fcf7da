import { findProgram } from '@ringdown/testing/find-program';
import { execFile, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ADVICE = 'these tests make networks of their own: run them as root (Debian: apt-get install iproute2 iptables)';
/** Names have the process that owns them, so that a later run finds what a killed one has left. */
const OWNED = /^ringdown-(\d+)-/;
const KILL_AFTER_MS = 5_000;

const execute = promisify(execFile);

async function ip(...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(findProgram('ip', ADVICE), [...args]);
  return stdout;
}

/** One end of a link. */
export interface LinkEnd {
  readonly at: Namespace;
  readonly device: string;
  /** With the length of its prefix. */
  readonly address: string;
}

/** A machine with a network of its own: programs run in it with `spawn` and `run`. */
export class Namespace {
  private readonly children: ChildProcess[] = [];

  constructor(readonly name: string) {}

  async ip(...args: readonly string[]): Promise<void> {
    await ip('-n', this.name, ...args);
  }

  /** What the program has written when it ends. */
  run(command: string, ...args: readonly string[]): Promise<string> {
    return ip('netns', 'exec', this.name, findProgram(command, ADVICE), ...args);
  }

  /** Lines of `/etc/hosts` for programs that start in it from now on. */
  setHosts(lines: readonly string[]): void {
    mkdirSync(etcOf(this.name), { recursive: true });
    writeFileSync(join(etcOf(this.name), 'hosts'), `${lines.join('\n')}\n`);
  }

  /** `ip` becomes the program: signals to the child reach it. */
  spawn(command: string, args: readonly string[], cwd?: string): ChildProcessWithoutNullStreams {
    const child = spawn(findProgram('ip', ADVICE), ['netns', 'exec', this.name, command, ...args], { cwd });
    this.children.push(child);
    return child;
  }

  async forwardPackets(): Promise<void> {
    await this.run('bash', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map(endProgram));
    await deleteNamespace(this.name);
  }
}

/** Ends a program, and waits for it. */
export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  await gone;
  clearTimeout(timer);
}

/** `ip netns exec` shows these files in place of those of `/etc` (ip-netns(8)). */
function etcOf(name: string): string {
  return join('/etc/netns', name);
}

/** With the processes in it, its devices, its rules and its files. */
async function deleteNamespace(name: string): Promise<void> {
  for (const pid of (await ip('netns', 'pids', name)).split('\n').filter(Boolean)) kill(Number(pid));
  await ip('netns', 'delete', name);
  rmSync(etcOf(name), { recursive: true, force: true });
}

function kill(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Networks of this process, connected by pairs of virtual devices. Deleting them deletes the devices and the rules of iptables. */
export class Namespaces {
  private readonly created: Namespace[] = [];

  /** Also deletes what killed runs have left. */
  static async start(): Promise<Namespaces> {
    const names = (await ip('netns', 'list')).split('\n').map((line) => line.split(' ')[0] ?? '');
    for (const name of names) {
      const owner = OWNED.exec(name)?.[1];
      if (owner !== undefined && !isAlive(Number(owner))) await deleteNamespace(name);
    }
    return new Namespaces();
  }

  async add(name: string): Promise<Namespace> {
    const namespace = new Namespace(`ringdown-${process.pid}-${name}`);
    await ip('netns', 'add', namespace.name);
    this.created.push(namespace);
    await namespace.ip('link', 'set', 'lo', 'up');
    return namespace;
  }

  async link(one: LinkEnd, other: LinkEnd): Promise<void> {
    const ends = ['netns', one.at.name, 'type', 'veth', 'peer', 'name', other.device, 'netns', other.at.name];
    await ip('link', 'add', one.device, ...ends);
    for (const { at, device, address } of [one, other]) {
      await at.ip('address', 'add', address, 'dev', device);
      await at.ip('link', 'set', device, 'up');
    }
  }

  /**
   * The network of this process gets the first address of a small network, and the namespace the second. `behind`: a network that this
   * process reaches through the namespace.
   */
  async linkToHost(namespace: Namespace, behind?: string): Promise<string> {
    const [own, other] = hostAddresses();
    const device = `rd${process.pid}`;
    await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'host', 'netns', namespace.name);
    await ip('address', 'add', `${own}/30`, 'dev', device);
    await ip('link', 'set', device, 'up');
    await namespace.ip('address', 'add', `${other}/30`, 'dev', 'host');
    await namespace.ip('link', 'set', 'host', 'up');
    if (behind !== undefined) await ip('route', 'add', behind, 'via', other);
    return own;
  }

  async stop(): Promise<void> {
    const results = await Promise.allSettled(this.created.splice(0).map((namespace) => namespace.stop()));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'a network of the test could not be deleted');
  }
}

/** Each process has four addresses. */
function hostAddresses(): readonly [string, string] {
  const first = (process.pid % 32_768) * 4;
  return [testAddress(first + 1), testAddress(first + 2)];
}

/** Of 198.18.0.0/15, which is for tests of networks. */
function testAddress(n: number): string {
  return [198, 18 + (n >> 16), (n >> 8) & 255, n & 255].join('.');
}
