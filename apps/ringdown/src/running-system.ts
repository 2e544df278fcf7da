import { nodeErrorCode, isOwnLack } from '@ringdown/errors';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A server of the system and its URL. */
export interface Address {
  readonly what: string;
  readonly url: string;
}

/** The process that uses a data folder, as `running.json` in it describes it. */
export interface RunningSystem {
  readonly pid: number;
  /** Distinguishes the process from a later one with the same id. */
  readonly mark: string;
  /** When it was started, ISO 8601. */
  readonly since: string;
  /** Empty until it is ready. */
  readonly addresses: readonly Address[];
  /** Origin of health and metrics; undefined until it is ready. */
  readonly inner?: string;
  /** Of a certificate that was made here, SHA-256. */
  readonly fingerprint?: string;
}

export interface AnnouncedFacts extends Required<Pick<RunningSystem, 'addresses' | 'inner'>> {
  readonly fingerprint?: string | undefined;
}

const FILE = 'running.json';
/** Without /proc, a process is identified only by its id. */
const ONLY_ITS_ID = 'id';

/** The file of one data folder. It remains after a crash, so its content is valid only while that process is alive. */
export class RunningFile {
  private readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, FILE);
  }

  /**
   * Claims the folder for this process. Returns the process that has it already; undefined when the claim succeeded.
   */
  claim(): RunningSystem | undefined {
    // First, so that a full disk does not hide who has the folder.
    const known = this.read();
    if (known !== undefined) return known;
    const temporary = this.writeTemporaryFile(about({}));
    try {
      while (!isLinked(temporary, this.file)) {
        const owner = this.read();
        if (owner !== undefined) return owner;
        this.removeStale();
      }
      return undefined;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** Writes the addresses of this process. */
  announce({ fingerprint, ...facts }: AnnouncedFacts): void {
    const known = { ...facts, ...(fingerprint !== undefined && { fingerprint }) };
    renameSync(this.writeTemporaryFile(about(known)), this.file);
  }

  release(): void {
    rmSync(this.file, { force: true });
  }

  /** Undefined when no system runs in the folder. */
  read(): RunningSystem | undefined {
    return runningIn(this.file);
  }

  /** The content of the file, whether or not it is still true. Throws if it exists and cannot be read. */
  readUnchecked(): RunningSystem | undefined {
    return readContent(this.file);
  }

  /**
   * Another start may have found the same stale file, and have claimed the folder since: what is removed is looked at once more under a name
   * of its own, and put back if it is not stale.
   */
  private removeStale(): void {
    const removed = this.uniqueName();
    try {
      renameSync(this.file, removed);
    } catch (error) {
      if (nodeErrorCode(error) === 'ENOENT') return;
      throw error;
    }
    let isStale = false;
    try {
      isStale = runningIn(removed) === undefined;
    } finally {
      if (!isStale) isLinked(removed, this.file);
      rmSync(removed, { force: true });
    }
  }

  /** Writes the whole content first, so that no reader sees a part of it. */
  private writeTemporaryFile(system: RunningSystem): string {
    const temporaryFile = this.uniqueName();
    try {
      writeFileSync(temporaryFile, `${JSON.stringify(system, undefined, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      rmSync(temporaryFile, { force: true });
      throw error;
    }
    return temporaryFile;
  }

  /** Processes of two containers may have the same id. */
  private uniqueName(): string {
    return `${this.file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  }
}

/** Undefined when the process that a file describes does not exist. */
function runningIn(file: string): RunningSystem | undefined {
  const system = readContent(file);
  return system !== undefined && system.mark === processMark(system.pid) ? system : undefined;
}

function readContent(file: string): RunningSystem | undefined {
  try {
    return parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // The file does not exist, or a full disk has truncated it: nothing is known.
    if (error instanceof SyntaxError || nodeErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a file has got a further name. Unlike a rename, this fails if another process was faster. */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (nodeErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function about(facts: Partial<Pick<RunningSystem, 'addresses' | 'inner' | 'fingerprint'>>): RunningSystem {
  const since = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  return { pid: process.pid, mark: processMark(process.pid) ?? ONLY_ITS_ID, since, addresses: [], ...facts };
}

/**
 * The boot of the machine and the clock tick at which the process began; undefined when the process does not exist. Throws if this
 * process lacks descriptors or memory to look.
 */
export function processMark(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    if (nodeErrorCode(error) !== 'EPERM') return undefined;
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Of the first thread, which began with its process: QEMU invents `/proc/PID/stat` for the process that reads its own (open_self_stat in
    // linux-user/syscall.c), so that another one would find another time. The name of the program is in brackets before the numbers, and may contain brackets.
    const numbers = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // A zombie: the process has ended, but its parent has not collected its exit status yet.
    return numbers[0] === 'Z' ? undefined : `${boot}.${numbers[19]}`;
  } catch (error) {
    // Then nothing is known: it must not be taken for another process.
    if (isOwnLack(error)) throw error;
    return ONLY_ITS_ID;
  }
}

function parse(value: unknown): RunningSystem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, mark, since, addresses, inner, fingerprint }: Partial<Record<keyof RunningSystem, unknown>> = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof mark !== 'string' || typeof since !== 'string') return undefined;
  const reached = Array.isArray(addresses) ? addresses.filter(isAddress) : [];
  return {
    pid,
    mark,
    since,
    addresses: reached,
    ...(typeof inner === 'string' && { inner }),
    ...(typeof fingerprint === 'string' && { fingerprint }),
  };
}

function isAddress(value: unknown): value is Address {
  if (typeof value !== 'object' || value === null) return false;
  const { what, url }: Partial<Record<keyof Address, unknown>> = value;
  return typeof what === 'string' && typeof url === 'string';
}
