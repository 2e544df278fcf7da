import type { TestNats } from '@ringdown/testing/servers/nats';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const main = programFile('aggregator', 'backup');

/** The servers that a backup is made of, or restored to. */
export interface BackedUp {
  readonly bus: Pick<TestNats, 'urlOf'>;
  readonly database: { readonly url: string };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command of the image: with the rights on the bus that it has in production. */
export class BackupProcess {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  constructor({ bus, database }: BackedUp, ...args: readonly string[]) {
    const env = {
      ...programEnvironment(),
      NATS_URL: bus.urlOf('backup'),
      NATS_URL_PEOPLE: bus.urlOf('backup-people'),
      DATABASE_URL: database.url,
    };
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
      ([out, err, [code]]: [string, string, unknown[]]) => ({ out, err, code: typeof code === 'number' ? code : null }),
    );
  }

  /** Ends it like a crash. */
  kill(): Promise<Ended> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  static run(servers: BackedUp, ...args: readonly string[]): Promise<Ended> {
    return new BackupProcess(servers, ...args).ended;
  }
}
