import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dockerOutput } from './container.js';

/** The registries that it stands for, each in a folder of its own. */
const HOSTS = ['docker.io', 'ghcr.io', 'quay.io'];
const CONFIG = '.config/containers/registries.conf';

/** A registry of images on the loopback address (Debian's docker-registry), and a folder for files beside it. */
export class Registry {
  private constructor(
    /** `localhost:5000`: Docker and oras speak plain HTTP there. */
    readonly address: string,
    /** As the home of skopeo, in it names of public registries lead here (containers-registries.conf(5)). */
    readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  static async start(): Promise<Registry> {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-registry-'));
    const port = await freePort();
    const config = join(folder, 'registry.yml');
    writeFileSync(
      config,
      `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${folder}/storage } }
http: { addr: '127.0.0.1:${port}' }
`,
    );
    // It logs each question for what it does not have yet, which a push begins with.
    const log = join(folder, 'log');
    const output = openSync(log, 'a');
    const server = spawn('docker-registry', ['serve', config], { stdio: ['ignore', output, output] });
    closeSync(output);
    const registry = new Registry(`localhost:${port}`, folder, server);
    for (const until = Date.now() + 20_000; ; await sleep(50)) {
      const answer = await fetch(`http://127.0.0.1:${port}/v2/`).catch(() => undefined);
      if (answer?.ok === true) break;
      if (Date.now() > until) throw new Error(`the registry does not answer: ${readFileSync(log, 'utf8')}`);
    }
    const here = HOSTS.map(
      (host) => `[[registry]]\nprefix = "${host}"\nlocation = "localhost:${port}/${host}"\ninsecure = true\n`,
    );
    mkdirSync(join(folder, CONFIG, '..'), { recursive: true });
    writeFileSync(
      join(folder, CONFIG),
      [`[[registry]]\nlocation = "localhost:${port}"\ninsecure = true\n`, ...here].join('\n'),
    );
    return registry;
  }

  /** Pushes a local image under another name, and returns its digest. The tag of that name does not stay. */
  push(image: string, name: string): string {
    const tag = `${this.address}/${name}`;
    dockerOutput('tag', image, tag);
    const pushed = dockerOutput('push', tag);
    dockerOutput('rmi', '--no-prune', tag);
    const [, digest = ''] = / digest: (sha256:[\da-f]{64}) /.exec(pushed) ?? [];
    return digest;
  }

  async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    if (this.server.kill()) await ended;
    rmSync(this.folder, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port, not on a socket of Unix
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** `nats:2` as the hub names it: `docker.io/library/nats:2`. */
export function fullName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return `docker.io/library/${first}`;
  return /[.:]/.test(first) ? image : `docker.io/${image}`;
}
