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

/** Sizes in bytes. */
export interface SystemSize {
  readonly recordsPerSecond: number;
  readonly callsInProgress: number;
  readonly collectors: number;
  readonly aggregators: number;
  /** FEED_PARTITIONS; undefined if more aggregators are needed than can share the feed. */
  readonly partitions: number | undefined;
  /** Of collectors, aggregators and PostgreSQL together. */
  readonly cores: number;
  readonly disk: { readonly calls: number; readonly messages: number; readonly bus: number };
  readonly memory: { readonly collector: number; readonly aggregator: number; readonly peopleService: number };
}

/** Calls do not come evenly, and a service that is stopped leaves its part to the others. */
const SHARE_OF_MEASURED = 0.5;
/** History is deleted by whole weeks, so that nearly a week more is kept. */
const WEEK_DAYS = 7;

export function systemSize(load: Load): SystemSize {
  const recordsPerSecond = (load.callsPerHour * load.recordsPerCall) / 3_600;
  const recordsPerDay = load.callsPerDay * load.recordsPerCall;
  const callsInProgress = Math.ceil((load.callsPerHour * load.minutesPerCall) / 60);
  const times = (rate: number): number => recordsPerSecond / (rate * SHARE_OF_MEASURED);
  const aggregators = Math.max(1, Math.ceil(times(FIGURES.recordsOfAggregator)));
  const messagesPerDay = load.callsPerDay * load.messagesPerCall * load.capturePoints;
  const bytesPerDay = load.callsPerDay * FIGURES.databaseBytesPerCall + recordsPerDay * FIGURES.databaseBytesPerRecord;
  return {
    recordsPerSecond,
    callsInProgress,
    collectors: Math.max(1, Math.ceil(times(FIGURES.recordsOfCollector))),
    aggregators,
    partitions: PARTITION_COUNTS.map(Number).find((count) => count >= aggregators),
    cores: Math.max(1, Math.ceil(2 * times(FIGURES.recordsOfTwoCores))),
    disk: {
      calls: bytesPerDay * (load.historyDays + WEEK_DAYS),
      messages: messagesPerDay * FIGURES.databaseBytesPerMessage * load.traceDays,
      bus: (recordsPerDay * FIGURES.busBytesPerRecord * load.busHours) / 24,
    },
    memory: {
      collector: FIGURES.memoryOfCollector,
      aggregator: FIGURES.memoryOfAggregator + (callsInProgress * FIGURES.memoryPerCallInProgress) / aggregators,
      peopleService:
        FIGURES.memoryOfPeopleService + load.people * FIGURES.memoryPerPerson + load.polls * FIGURES.memoryPerPoll,
    },
  };
}
