import { isTime, isWhole, type Untrusted } from '@ringdown/contracts/foreign-json';
import { isAcceptedRecords, type AcceptedRecords } from '@ringdown/contracts/records';

/** What one running replica of a service reports about itself, repeatedly. */
export interface ServiceReport {
  readonly service: string;
  /** A random number made at each start, hexadecimal. */
  readonly replica: string;
  /** Name of the machine or container. */
  readonly host: string;
  readonly version: string;
  /** When it was started and when it sent this report: its own clock, milliseconds since 1970. */
  readonly since: number;
  readonly saidAt: number;
  /** What it has counted since its start. */
  readonly counts: Readonly<Record<string, number>>;
  /** Partitions of the feed that it reads; empty for services that read none. */
  readonly partitions: readonly number[];
  /** Of a collector: the acknowledged records of each partition. */
  readonly accepted?: AcceptedRecords;
}

const REPLICA = /^[\da-f]{12}$/;
/** A report is one message; these are names of machines and versions. */
const MAX_CHARACTERS = 255;
/** Far more than a service counts. */
const MAX_COUNTS = 100;
const MAX_PARTITIONS = 64;

/**
 * Throws for a report in the format of another version, and for one of a service that may not say this: each service can
 * only write keys with its own name (libs/embedded/src/bus-accounts.ts), and accounts do not trust each other.
 */
export function parseReport(value: unknown, key: string): ServiceReport {
  if (!isReport(value)) throw new Error('unknown format of a report');
  if (`${value.service}.${value.replica}` !== key) throw new Error('the report names the service of another key');
  if (value.partitions.length > 0 && value.service !== 'aggregator')
    throw new Error('only aggregators read partitions');
  if (value.accepted !== undefined && value.service !== 'collector') throw new Error('only collectors accept records');
  return value;
}

function isReport(value: unknown): value is ServiceReport {
  const { service, replica, host, version, since, saidAt, counts, partitions, accepted }: Untrusted = {
    ...Object(value),
  };
  return (
    [service, host, version].every(isName) &&
    typeof replica === 'string' &&
    REPLICA.test(replica) &&
    [since, saidAt].every(isTime) &&
    isCounts(counts) &&
    Array.isArray(partitions) &&
    partitions.length <= MAX_PARTITIONS &&
    partitions.every((partition) => isWhole(partition, MAX_PARTITIONS)) &&
    (accepted === undefined || isAcceptedRecords(accepted))
  );
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_CHARACTERS;
}

/** JSON has numbers that become Infinity. */
function isCounts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const counts = Object.values(value);
  return counts.length <= MAX_COUNTS && counts.every(Number.isFinite);
}
