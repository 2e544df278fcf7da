import { isOwnLack } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusUserName } from './bus-users.js';
import { Child, type ChildState } from './child.js';
import { probeJetStream } from './jetstream-probe.js';
import type { ChildMark } from './leftover.js';
import { moveStreamsToAccounts } from './move-streams.js';
import { ALL_POWERFUL, makeBusKeys, natsConfig, natsUrl, type BusKeys } from './nats-config.js';
import { findNatsServer, syncsBeforeAck, WAYS_TO_GET_ONE, type NatsProgram } from './nats-program.js';
import { processesOf } from './running-processes.js';
import { ServerAddress } from './server-address.js';
import type { ProbeResult } from './silence.js';

export interface EmbeddedNats {
  /** The current address, for the user with all permissions; without a user name if there is none. */
  readonly url: string;
  /** The address for the user of a service: a different one, with another key, after each start of the server. */
  urlOf(user: BusUserName): ServerAddress;
  /** Of the program: `2.10.27`. */
  readonly version: string;
  readonly pid: number | undefined;
  readonly state: ChildState;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A busy machine may delay the response. */
const ANSWER_MS = 10_000;
const LOOK_MS = 25;

export interface NatsOptions {
  /** Folder for configuration and JetStream files. */
  readonly folder: string;
  readonly logger: Logger;
  /** If left out, the server chooses one at each start. */
  readonly port?: number;
  /** If left out, they are generated at each start. */
  readonly keys?: BusKeys;
  /** Of a user with all permissions, for tests and benchmarks; if left out, there is no such user. */
  readonly password?: string;
  /** Accept a nats-server before 2.10 if there is no other. */
  readonly allowOld?: boolean;
}

/** Starts nats-server on the loopback address with JetStream on disk and a separate user for each service. */
export async function startNatsServer(options: NatsOptions): Promise<EmbeddedNats> {
  const program = await findNatsServer({ allowOld: options.allowOld ?? false });
  if (program === undefined) throw new Error(`nats-server 2.10 or later was not found. ${WAYS_TO_GET_ONE}`);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const server = new NatsLaunch(options, program);
  const child = await Child.start({
    ...natsServerMark(options.folder),
    command: program.command,
    args: ['--config', server.config],
    logger: options.logger,
    prepare: () => server.prepare(),
    ready: (pid, ended) => server.ready(pid, ended),
    gone: () => server.gone(),
    probe: () => server.probe(),
  });
  return {
    get url() {
      return server.urlOfAll();
    },
    urlOf: (user) =>
      new ServerAddress(
        () => server.urlOf(user),
        server.moves,
        () => server.isUp(),
      ),
    version: /\d[\d.]*/.exec(program.version)?.[0] ?? '',
    get pid() {
      return child.pid;
    },
    get state() {
      return child.state;
    },
    stop: async (signal) => {
      await child.stop(signal);
      for (const user of commandUsers) rmSync(commandsFile(options.folder, user), { force: true });
    },
  };
}

/** For commands in other terminals, and the file with the address of each: dead letters, people, backup. */
const COMMAND_FILES = {
  aggregator: 'commands.url',
  'discovery-auth': 'people.url',
  backup: 'backup.url',
  'backup-people': 'backup-people.url',
} as const satisfies Partial<Record<BusUserName, string>>;
type CommandUser = keyof typeof COMMAND_FILES;

const commandUsers = Object.keys(COMMAND_FILES).filter((name): name is CommandUser => name in COMMAND_FILES);

/** Only an administrator can start a server on this port: the address for connections while our server does not run. */
const NOWHERE = '127.0.0.1:1';

/** Starts one server after the other in the same folder, each with its own port and keys. */
class NatsLaunch {
  readonly config: string;
  readonly moves = new Set<() => void>();
  private keys: BusKeys;
  private address = NOWHERE;
  private pid = 0;

  constructor(
    private readonly options: NatsOptions,
    private readonly program: NatsProgram,
  ) {
    this.config = configFile(options.folder);
    this.keys = options.keys ?? makeBusKeys();
  }

  async prepare(): Promise<void> {
    const { folder, port = -1, keys, password } = this.options;
    this.keys = keys ?? makeBusKeys();
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.ports')) rmSync(join(folder, file));
    }
    moveStreamsToAccounts(join(folder, 'jetstream'));
    const lines = [`ports_file_dir: ${JSON.stringify(folder)}`, jetStreamLine(folder, this.program.version)];
    const text = natsConfig({ listen: `127.0.0.1:${port}`, keys: this.keys, password, lines });
    writeFileSync(this.config, text, { mode: 0o600 });
  }

  /** The server writes its address to a file in our folder, so no other program can have taken its port. */
  async ready(pid: number, ended: AbortSignal): Promise<void> {
    const file = join(this.options.folder, `nats-server_${pid}.ports`);
    let found: string | undefined;
    while (found === undefined) {
      await sleep(LOOK_MS, undefined, { signal: ended });
      found = existsSync(file) ? /"nats:\/\/(127\.0\.0\.1:\d+)"/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
    }
    this.pid = pid;
    this.move(found);
    for (const user of commandUsers) writeCommandsFile(this.options.folder, user, this.urlOf(user));
  }

  gone(): void {
    this.move(NOWHERE);
  }

  /** The process may have ended before its exit event arrives. */
  isUp(): boolean {
    return this.address !== NOWHERE && processRuns(this.pid);
  }

  probe(): Promise<ProbeResult> {
    const port = Number(this.address.split(':')[1]);
    return probeJetStream({ port, key: this.keys.probe, withinMs: ANSWER_MS });
  }

  urlOf(user: BusUserName): string {
    return natsUrl(user, this.keys[user].seed, this.address);
  }

  urlOfAll(): string {
    const { password } = this.options;
    return password === undefined ? `nats://${this.address}` : natsUrl(ALL_POWERFUL, password, this.address);
  }

  private move(address: string): void {
    this.address = address;
    for (const moved of this.moves) moved();
  }
}

/** A process that begins to end has this flag before its sockets are closed (PF_EXITING of linux/sched.h). */
const EXITING = 0x4;

/** On systems without `/proc`, and while this process cannot look, true until its end is known. */
function processRuns(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on (proc_pid_stat(5)): the name in the second one may contain anything.
    const [state = '', , , , , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return !'ZX'.includes(state) && (Number(flags) & EXITING) === 0;
  } catch (error) {
    return isOwnLack(error) || !existsSync('/proc/self/stat');
  }
}

/**
 * A message is written to disk before it is acknowledged, as in deploy/bus; an old server has no such setting. Without
 * a limit for its storage, a server uses three quarters of the free space at its start, and drops streams that reserve
 * more: after the disk was full, it would start without the records.
 */
export function jetStreamLine(folder: string, version: string): string {
  const sync = syncsBeforeAck(version) ? ', sync_interval: always' : '';
  return `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 1PB${sync} }`;
}

/**
 * For commands in other terminals: the address of the server of this folder, with the key of a service. Undefined if none
 * is running.
 */
export function embeddedNatsUrl(folder: string, user: CommandUser = 'aggregator'): string | undefined {
  const file = commandsFile(folder, user);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Identifies the server of a folder at a later start. */
export function natsServerMark(folder: string): ChildMark {
  const ownFile = configFile(folder);
  // Whoever started one may have been killed before it could write down the process id.
  const others = (): readonly number[] => processesOf('nats-server', ownFile);
  return { name: 'nats-server', ownFile, pidFile: join(folder, 'nats-server.pid'), others };
}

function configFile(folder: string): string {
  return join(folder, 'nats.conf');
}

function writeCommandsFile(folder: string, user: CommandUser, url: string): void {
  const file = commandsFile(folder, user);
  writeFileSync(`${file}.new`, `${url}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function commandsFile(folder: string, user: CommandUser): string {
  return join(folder, COMMAND_FILES[user]);
}
