import { codeOf } from '@ringdown/errors';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something of a system that is reached over the network. */
export interface Address {
  readonly what: string;
  readonly url: string;
}

/** Who uses a data folder, as `running.json` in it says. */
export interface RunningSystem {
  readonly pid: number;
  /** Tells the process from a later one with the same id. */
  readonly mark: string;
  /** When it was started, ISO 8601. */
  readonly since: string;
  /** None until it serves. */
  readonly addresses: readonly Address[];
  /** Origin of health and metrics; undefined until it serves. */
  readonly inner?: string;
}

const FILE = 'running.json';
/** Where there is no /proc, a process is known by its id alone. */
const ONLY_ITS_ID = 'id';

/** The file of one data folder. A crash leaves it behind, so what it says counts only while that very process lives. */
export class RunningFile {
  private readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, FILE);
  }

  /** Takes the folder for this process. Returns who has it already; undefined when it is ours now. */
  claim(): RunningSystem | undefined {
    const owner = this.read();
    if (owner !== undefined) return owner;
    rmSync(this.file, { force: true });
    const whole = this.writeBeside(about({}));
    try {
      // Unlike renaming, this fails where another process was faster.
      linkSync(whole, this.file);
      return undefined;
    } catch (error) {
      const faster = this.read();
      if (faster === undefined) throw error;
      return faster;
    } finally {
      rmSync(whole);
    }
  }

  /** Says where this process is reached. */
  announce(facts: Required<Pick<RunningSystem, 'addresses' | 'inner'>>): void {
    renameSync(this.writeBeside(about(facts)), this.file);
  }

  release(): void {
    rmSync(this.file, { force: true });
  }

  /** Undefined when no system runs in the folder. */
  read(): RunningSystem | undefined {
    const said = this.lastSaid();
    return said !== undefined && said.mark === markOf(said.pid) ? said : undefined;
  }

  /** What the file says, whether or not it is still true. */
  lastSaid(): RunningSystem | undefined {
    try {
      return parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      // There is none, or it was cut off by a full disk: nothing is known.
      return undefined;
    }
  }

  /** Whole before anybody reads it. */
  private writeBeside(system: RunningSystem): string {
    const beside = `${this.file}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(system, undefined, 2)}\n`, { mode: 0o600 });
    return beside;
  }
}

function about(facts: Partial<Pick<RunningSystem, 'addresses' | 'inner'>>): RunningSystem {
  const since = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  return { pid: process.pid, mark: markOf(process.pid) ?? ONLY_ITS_ID, since, addresses: [], ...facts };
}

/** The boot of the machine and the clock tick in it at which the process began; undefined when there is no such process. */
export function markOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    if (codeOf(error) !== 'EPERM') return undefined;
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name of the program stands in brackets before the numbers, and may hold brackets itself.
    const numbers = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // A process that has ended and that its parent has not asked about yet does nothing any more.
    return numbers[0] === 'Z' ? undefined : `${boot}.${numbers[19]}`;
  } catch {
    return ONLY_ITS_ID;
  }
}

function parse(said: unknown): RunningSystem | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { pid, mark, since, addresses, inner }: Partial<Record<keyof RunningSystem, unknown>> = said;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof mark !== 'string' || typeof since !== 'string') return undefined;
  const reached = Array.isArray(addresses) ? addresses.filter(isAddress) : [];
  return { pid, mark, since, addresses: reached, ...(typeof inner === 'string' && { inner }) };
}

function isAddress(said: unknown): said is Address {
  if (typeof said !== 'object' || said === null) return false;
  const { what, url }: Partial<Record<keyof Address, unknown>> = said;
  return typeof what === 'string' && typeof url === 'string';
}
