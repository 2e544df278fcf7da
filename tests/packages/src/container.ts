import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended } from './debian-root.js';

/** As the images are meant to be run: nothing but `/tmp` and volumes can be written, and nothing gains rights. */
export const HARDENED = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges:true'];
/** Of the volumes and containers of these tests. */
const LABEL = `--label=ringdown-test=${process.pid}`;

export interface ImageConfig {
  readonly User: string;
  readonly Cmd: readonly string[] | null;
  readonly Entrypoint?: readonly string[] | null;
  readonly Healthcheck?: { readonly Test: readonly string[] };
  readonly Labels: Readonly<Record<string, string>>;
  readonly Env: readonly string[];
}

export function docker(...args: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** The output of a command of Docker that has to work. */
export function dockerOutput(...args: readonly string[]): string {
  const { code, out, err } = docker(...args);
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${code}: ${err}${out}`);
  return out;
}

export function imageConfig(image: string): ImageConfig {
  const config: ImageConfig = JSON.parse(dockerOutput('image', 'inspect', '--format={{json .Config}}', image));
  return config;
}

/** What an image is named that scripts/test/images.mjs has built: `ringdown`, `ringdown-collector`. */
export function testImage(name: string): string {
  return `${process.env['RINGDOWN_TEST_IMAGES'] ?? 'ringdown-test'}/${name}:local`;
}

export function makeVolume(): string {
  return dockerOutput('volume', 'create', LABEL).trim();
}

/** A container that runs in the background until it is removed. */
export class Container {
  private constructor(readonly name: string) {}

  static start(image: string, ...options: readonly string[]): Container {
    const name = `ringdown-test-${randomUUID()}`;
    dockerOutput('run', '--detach', `--name=${name}`, LABEL, ...HARDENED, ...options, image);
    return new Container(name);
  }

  /** Runs a program there, without a shell. */
  exec(env: Readonly<Record<string, string>>, command: readonly string[]): string {
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return dockerOutput('exec', ...variables, this.name, ...command);
  }

  /** By the health check of the image. Throws, with what it has printed, when it ends or takes too long. */
  async healthy(seconds: number): Promise<void> {
    for (const until = Date.now() + seconds * 1_000; ; await sleep(200)) {
      const state = this.inspect('{{.State.Status}} {{.State.Health.Status}}');
      if (state === 'running healthy') return;
      if (!state.startsWith('running') || Date.now() > until) throw new Error(`${state}: ${this.log()}`);
    }
  }

  inspect(format: string): string {
    return dockerOutput('inspect', `--format=${format}`, this.name).trim();
  }

  log(): string {
    const { out, err } = docker('logs', this.name);
    return `${out}${err}`;
  }

  /** The numbers of the users whose programs run there. */
  users(): readonly string[] {
    const [, ...lines] = dockerOutput('top', this.name, '-eo', 'uid,pid,args').trim().split('\n');
    return [...new Set(lines.map((line) => line.trim().split(' ', 1)[0] ?? ''))];
  }

  /** SIGTERM; SIGKILL after these seconds. Returns the exit code. */
  stop(seconds: number): number {
    dockerOutput('stop', `--time=${seconds}`, this.name);
    return Number(this.inspect('{{.State.ExitCode}}'));
  }

  remove(): void {
    dockerOutput('rm', '--force', '--volumes', this.name);
  }
}
