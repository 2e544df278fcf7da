import { stateSettings } from '@ringdown/contracts/bucket-limits';
import { BUS_FIXED_BYTES, deadLetterSettings, streamSettings } from '@ringdown/feed-bus/streams';
import { readSettings, SettingsError, type Environment } from '@ringdown/settings';
import { existsSync, readdirSync, statfsSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Settings of the bus that are reduced on a small disk, in the form of environment variables. */
export type BusLimits = Readonly<Partial<Record<LimitName, string>>>;

const LIMIT_NAMES = ['RECORDS_MAX_BYTES', 'DEAD_LETTERS_MAX_BYTES', 'STATE_MAX_BYTES'] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

export interface Disk {
  /** The space for the bus: free bytes plus the bytes that it already uses. */
  readonly availableBytes: number;
  /** True when the bus has not stored anything here yet. */
  readonly isFirstStart: boolean;
}

const MEBIBYTE = 1_048_576;
/** The rest is for the database, the logs, and other files. */
const SHARE_OF_BUS = 0.75;
/** Share of the space that the fixed streams and buckets leave; the rest is for dead letters. */
const SHARE_OF_RECORDS = 0.6;
const SHARE_OF_STATE = 0.25;
const LEAST_RECORDS_BYTES = 64 * MEBIBYTE;

/**
 * Compares the limits of all streams of the bus with the disk. On a small disk, reduces limits that the operator has
 * not set, and returns them. Throws a SettingsError, which lists what reserves how much, if even the reduced limits do
 * not fit; if the bus has stored something already, it only warns, because an existing system has to start again.
 */
export function limitsFor(disk: Disk, env: Environment, warn: (line: string) => void): BusLimits {
  const limits = readSettings({ ...streamSettings, ...deadLetterSettings, ...stateSettings }, env);
  const { recordsMaxBytes: records, deadLettersMaxBytes: deadLetters, stateMaxBytes: state } = limits;
  const share = Math.floor(disk.availableBytes * SHARE_OF_BUS);
  const reserved = records + deadLetters + state + BUS_FIXED_BYTES;
  if (reserved <= share) return {};
  const isSet = LIMIT_NAMES.some((name) => env[name] !== undefined);
  const line =
    `the bus may use ${inMebibytes(share)} of the disk of DATA_DIR, three quarters of its free space, but reserves ` +
    `${inMebibytes(reserved)}: RECORDS_MAX_BYTES ${inMebibytes(records)}, DEAD_LETTERS_MAX_BYTES ${inMebibytes(deadLetters)}, ` +
    `STATE_MAX_BYTES ${inMebibytes(state)}, changes of calls, messages of calls, rejected records, failed SIP requests, people and reports of services ${inMebibytes(BUS_FIXED_BYTES)}`;
  const smaller = smallerLimits(share - BUS_FIXED_BYTES);
  if (disk.isFirstStart && !isSet && smaller.records >= LEAST_RECORDS_BYTES) {
    warn(
      `${line}; reduced to ${inMebibytes(smaller.records)} for records, ${inMebibytes(smaller.deadLetters)} for dead letters and ` +
        `${inMebibytes(smaller.state)} for STATE_MAX_BYTES`,
    );
    return {
      RECORDS_MAX_BYTES: String(smaller.records),
      DEAD_LETTERS_MAX_BYTES: String(smaller.deadLetters),
      STATE_MAX_BYTES: String(smaller.state),
    };
  }
  if (disk.isFirstStart) throw new SettingsError([`${line}. Set lower limits, or DATA_DIR to a larger disk`]);
  warn(`${line}; records are rejected with 503 when the disk is full`);
  return {};
}

function smallerLimits(left: number): Record<'records' | 'deadLetters' | 'state', number> {
  const records = Math.floor(left * SHARE_OF_RECORDS);
  const state = Math.floor(left * SHARE_OF_STATE);
  return { records, state, deadLetters: left - records - state };
}

/** The same for the bus in `folder`. Limits chosen at its first start are kept, in a file beside it. */
export function busLimits(folder: string, env: Environment, warn: (line: string) => void): BusLimits {
  const file = `${folder}-limits.json`;
  const chosen = chosenBefore(file);
  const limits = limitsFor(diskOf(folder), { ...chosen, ...env }, warn);
  if (Object.keys(limits).length > 0) writeFileSync(file, `${JSON.stringify(limits)}\n`);
  return { ...chosen, ...limits };
}

/** What a start would print about the disk; nothing is chosen or written. Throws as a start would. */
export function diskLines(folder: string, env: Environment): readonly string[] {
  const lines: string[] = [];
  limitsFor(diskOf(folder), { ...chosenBefore(`${folder}-limits.json`), ...env }, (line) => void lines.push(line));
  return lines;
}

function chosenBefore(file: string): BusLimits {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The file does not exist, or a full disk has truncated it: nothing is known.
    return {};
  }
}

function diskOf(folder: string): Disk {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : dirname(folder));
  const stored = existsSync(join(folder, 'jetstream'));
  return { availableBytes: bavail * bsize + (stored ? bytesIn(join(folder, 'jetstream')) : 0), isFirstStart: !stored };
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + existingFileSize(join(parentPath, name)), 0);
}

/** A server that is left from a crash may remove files meanwhile. */
function existingFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`;
}
