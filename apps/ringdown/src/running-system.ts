import { nodeErrorCode, isOwnLack } from '@ringdown/errors';
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from './files/file-lock.js';

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
  /** In another container or on another machine: it can be neither asked nor signalled from here. */
  readonly isElsewhere?: true;
}

export interface AnnouncedFacts extends Required<Pick<RunningSystem, 'addresses' | 'inner'>> {
  readonly fingerprint?: string | undefined;
}

const FILE = 'running.json';
const LOCK = 'running.lock';
/** What a claim leaves in a data folder, also after a crash. */
export const CLAIM_FILES: readonly string[] = [FILE, LOCK];
/** Without /proc, a process is identified only by its id. */
const ONLY_ITS_ID = 'id';

/** The file of one data folder. It remains after a crash, so its content is valid only while that process is alive. */
export class RunningFile {
  private readonly file: string;
  private readonly lock: FileLock;

  constructor(folder: string) {
    this.file = join(folder, FILE);
    this.lock = new FileLock(join(folder, LOCK));
  }

  /** Claims the folder for this process. Returns who has it already; undefined when the claim succeeded. */
  claim(): string | undefined {
    // First, so that a full disk does not hide who has the folder, and an earlier version, which has no lock, is found.
    const known = this.read();
    if (known !== undefined) return processWords(known);
    if (!this.lock.acquire()) return processWords(this.read());
    this.write(about({}));
    return undefined;
  }

  /** Writes the addresses of this process. */
  announce({ fingerprint, ...facts }: AnnouncedFacts): void {
    const known = { ...facts, ...(fingerprint !== undefined && { fingerprint }) };
    this.write(about(known));
  }

  release(): void {
    rmSync(this.file, { force: true });
    this.lock.release();
  }

  /** Undefined when no system runs in the folder. */
  read(): RunningSystem | undefined {
    const system = this.readUnchecked();
    if (system === undefined) return undefined;
    const isHere = system.mark === processMark(system.pid);
    if (isHere && system.mark !== ONLY_ITS_ID) return system;
    if (!this.lock.isHeld()) return undefined;
    return isHere ? system : { ...system, isElsewhere: true };
  }

  /** The content of the file, whether or not it is still true. Throws if it exists and cannot be read. */
  readUnchecked(): RunningSystem | undefined {
    try {
      return parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch (error) {
      // The file does not exist, or a full disk has truncated it: nothing is known.
      if (error instanceof SyntaxError || nodeErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Writes the whole content first, so that no reader sees a part of it. */
  private write(system: RunningSystem): void {
    // Processes of two containers may have the same id.
    const temporaryFile = `${this.file}.${process.pid}-${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(temporaryFile, `${JSON.stringify(system, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(temporaryFile, this.file);
    } catch (error) {
      rmSync(temporaryFile, { force: true });
      throw error;
    }
  }
}

/** `process 12`, or what else is known of who has a folder. */
export function processWords(system: RunningSystem | undefined): string {
  if (system === undefined) return 'another process';
  return `process ${system.pid}${system.isElsewhere ? ' of another container or machine' : ''}`;
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
