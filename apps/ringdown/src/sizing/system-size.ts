import { PARTITION_COUNTS } from '@ringdown/contracts/records';
import { FIGURES } from './figures.js';

/** What a system has to carry. */
export interface Load {
  readonly callsPerHour: number;
  readonly callsPerDay: number;
  readonly recordsPerCall: number;
  readonly minutesPerCall: number;
  readonly historyDays: number;
  readonly busHours: number;
  /** 0: SIP messages are not stored. */
  readonly capturePoints: number;
  readonly messagesPerCall: number;
  readonly traceDays: number;
  readonly people: number;
  /** Clients that wait for events. */
  readonly polls: number;
}

/** Sizes in bytes; what a system has, if there are several. */
export interface SystemSize {
  /** Systems of their own, with their own bus and database, among which the front ends are divided. */
  readonly systems: number;
  readonly recordsPerSecond: number;
  readonly callsInProgress: number;
  readonly collectors: number;
  readonly aggregators: number;
  readonly partitions: number;
  /** Of collectors, aggregators and PostgreSQL together. */
  readonly cores: number;
  readonly disk: { readonly calls: number; readonly messages: number; readonly bus: number };
  /** Bytes a second that the bus sends to aggregators, and that PostgreSQL writes to its log of changes. */
  readonly flow: { readonly bus: number; readonly log: number };
  readonly memory: { readonly collector: number; readonly aggregator: number; readonly peopleService: number };
}

/** Calls do not come evenly, and a service that is stopped leaves its part to the others. */
const SHARE_OF_MEASURED = 0.5;
/** History is deleted by whole weeks, so that nearly a week more is kept. */
const WEEK_DAYS = 7;
/** The network of the bus: 10 Gbit/s. */
const NETWORK_BYTES = 1_250_000_000;

export function systemSize(load: Load): SystemSize {
  for (let systems = 1; ; systems++) {
    const size = sizeOfEach(load, systems);
    if (size !== undefined) return size;
  }
}

/** Undefined if the feed of such a system cannot be divided among aggregators, or is more than its bus can send. */
function sizeOfEach(load: Load, systems: number): SystemSize | undefined {
  const callsPerDay = load.callsPerDay / systems;
  const recordsPerSecond = (load.callsPerHour * load.recordsPerCall) / 3_600 / systems;
  const readers = feedReaders(recordsPerSecond);
  if (readers === undefined) return undefined;
  // Each replica reads every bundle, whatever partitions it has (ADR 0086).
  const bus = recordsPerSecond * FIGURES.busBytesPerRecord * readers.aggregators;
  if (bus > NETWORK_BYTES * SHARE_OF_MEASURED) return undefined;
  const recordsPerDay = callsPerDay * load.recordsPerCall;
  const callsInProgress = Math.ceil((load.callsPerHour * load.minutesPerCall) / 60 / systems);
  const messagesPerDay = callsPerDay * load.messagesPerCall * load.capturePoints;
  const bytesPerDay = callsPerDay * FIGURES.databaseBytesPerCall + recordsPerDay * FIGURES.databaseBytesPerRecord;
  return {
    systems,
    recordsPerSecond,
    callsInProgress,
    collectors: processes(recordsPerSecond, FIGURES.recordsOfCollector),
    ...readers,
    cores: processes(2 * recordsPerSecond, FIGURES.recordsOfTwoCores),
    disk: {
      calls: bytesPerDay * (load.historyDays + WEEK_DAYS),
      messages: messagesPerDay * FIGURES.databaseBytesPerMessage * load.traceDays,
      bus: (recordsPerDay * FIGURES.busBytesPerRecord * load.busHours) / 24,
    },
    flow: { bus, log: recordsPerSecond * FIGURES.logBytesPerRecord },
    memory: {
      collector: FIGURES.memoryOfCollector,
      aggregator:
        FIGURES.memoryOfAggregator + (callsInProgress * FIGURES.memoryPerCallInProgress) / readers.aggregators,
      peopleService:
        FIGURES.memoryOfPeopleService + load.people * FIGURES.memoryPerPerson + load.polls * FIGURES.memoryPerPoll,
    },
  };
}

/** `rate`: what one process takes, records a second. */
function processes(recordsPerSecond: number, rate: number): number {
  return Math.max(1, Math.ceil(recordsPerSecond / (rate * SHARE_OF_MEASURED)));
}

/**
 * The fewest partitions, and aggregators, of which none has more than it can take: a partition is read as a whole, so with
 * 16 partitions the busiest of 11 aggregators has as many records as each of eight. Undefined beyond 64 partitions.
 */
function feedReaders(recordsPerSecond: number): Pick<SystemSize, 'aggregators' | 'partitions'> | undefined {
  const most = FIGURES.recordsOfAggregator * SHARE_OF_MEASURED;
  for (const partitions of PARTITION_COUNTS.map(Number)) {
    const each = Math.min(partitions, Math.floor((most * partitions) / recordsPerSecond));
    if (each > 0) return { partitions, aggregators: Math.ceil(partitions / each) };
  }
  return undefined;
}
