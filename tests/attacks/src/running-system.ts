import { freePort } from '@ringdown/testing/embedded-servers';
import { freePorts, launch, running, SystemClient, type LaunchedSystem } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editPeople, runPeople, type Person } from './people.js';

type Settings = Readonly<Record<string, string>>;

/**
 * A system that is started before the first test of the calling file or `describe`, and stopped after its last one.
 * `settings` may depend on the data folder.
 */
export function runningSystem(settings: Settings | ((data: string) => Settings) = {}): RunningSystem {
  const system = new RunningSystem(settings);
  beforeAll(() => system.start());
  afterAll(() => system.stop());
  return system;
}

/** The one-process system as `npm start` runs it, on its own ports and with its own data. */
export class RunningSystem {
  readonly data = mkdtempSync(join(tmpdir(), 'ringdown-attack-'));
  private readonly more: Person[] = [];
  private readonly started = new Started();
  private up: Up | undefined;

  constructor(private readonly settings: Settings | ((data: string) => Settings)) {}

  /**
   * Before the start: adds a person who is not used by other attacks, with the password of alice. Returns the username.
   */
  addPerson(name: string, ...roles: readonly string[]): string {
    const username = `${name}@example.test`;
    this.more.push({ username, name, sipAddress: `sip:${username}`, roles: ['user', ...roles] });
    return username;
  }

  /** A client that trusts its certificate. */
  get client(): SystemClient {
    return this.running.client;
  }

  get process(): LaunchedSystem {
    return this.running.process;
  }

  get port(): number {
    return Number(this.running.ports.PORT);
  }

  get httpPort(): number {
    return Number(this.running.ports.HTTP_PORT);
  }

  get feedPort(): number {
    return Number(this.running.ports.COLLECTOR_PORT);
  }

  /** Its certificate. */
  get ca(): string {
    return readFileSync(join(this.data, 'tls', 'cert.pem'), 'utf8');
  }

  /** An access token of a person who was added. */
  async tokenOf(username: string): Promise<string> {
    const { password } = await this.client.firstUser('alice');
    return this.client.signInAs(username, password);
  }

  async start(): Promise<void> {
    const ports = { ...(await freePorts()), HTTP_PORT: String(await freePort()) };
    await seedDatabase(join(this.data, 'database'));
    if (this.more.length > 0) {
      await runPeople(this.data, 'ensure-first-users');
      editPeople(this.data, (people) => {
        const { passwordHash } = people.find(({ name }) => name.startsWith('Alice')) ?? {};
        return [...people, ...this.more.map((person) => ({ ...person, passwordHash }))];
      });
    }
    const process = await this.launched(ports);
    const client = this.started.add(new SystemClient(this.data, ports));
    this.up = { ports, process, client };
  }

  /** Kills the process, as in a crash. */
  async killAndStart(): Promise<void> {
    const { ports, process, client } = this.running;
    process.process.kill('SIGKILL');
    await once(process.process, 'close');
    this.up = { ports, client, process: await this.launched(ports) };
  }

  async stop(): Promise<void> {
    await this.started.stopAll();
    rmSync(this.data, { recursive: true });
  }

  private async launched(ports: Up['ports']): Promise<LaunchedSystem> {
    const settings = typeof this.settings === 'function' ? this.settings(this.data) : this.settings;
    const process = this.started.add(launch({ ...ports, DATA_DIR: this.data, ...settings }));
    await running(process);
    return process;
  }

  private get running(): Up {
    if (this.up === undefined) throw new Error('the system does not run yet');
    return this.up;
  }
}

interface Up {
  readonly ports: { readonly PORT: string; readonly COLLECTOR_PORT: string; readonly HTTP_PORT: string };
  readonly process: LaunchedSystem;
  readonly client: SystemClient;
}
