import {
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { REJECTED_STREAM, type RejectedRecord } from '@ringdown/contracts/set-aside';
import { Bus } from '@ringdown/nats';
import { DurableReader } from '@ringdown/nats/reading';
import { LOGGER, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule, fromSettings } from '../context.module.js';
import { FixedDelayTask } from '../feed/fixed-delay-task.js';
import { PreparedStart } from '../feed/prepared-start.js';
import { Database } from '../store/database/database.js';
import { isDataError } from '../store/database/query-errors.js';
import { RejectionStore } from './rejection-store.js';

/** Holds the connection that writes rejections: those of records never wait for it. */
class RejectionDatabase extends Database {}

const READER = 'rejections';
const CLEANING_MS = 3_600_000;
const RETRY_MS = 2_000;
/** As long as the stream keeps the bodies themselves. */
const KEPT_DAYS = 7;

/** Counts rejected bodies by feed and reason, for alert rules. Collectors bound how many they keep in a second. */
@Module({
  imports: [ContextModule],
  providers: [
    provideClass(RejectionDatabase, { url: fromSettings('databaseUrl'), logger: LOGGER }),
    provideClass(RejectionStore, RejectionDatabase),
    { provide: DurableReader, inject: [Bus, RejectionStore, LOGGER], useFactory: readerInto },
  ],
})
export class RejectionsModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly reading: FixedDelayTask;
  private readonly cleaning: FixedDelayTask;
  private readonly beginning: PreparedStart;
  private isReading = false;

  constructor(
    private readonly reader: DurableReader,
    store: RejectionStore,
    private readonly database: RejectionDatabase,
    @Inject(LOGGER) logger: Logger,
  ) {
    const task = (work: () => Promise<unknown>, periodMs: number, name: string): FixedDelayTask =>
      new FixedDelayTask({
        work,
        periodMs,
        logger,
        failure: `${name} failed; trying again`,
        recovery: `${name} succeeds again`,
      });
    this.reading = task(() => this.read(), RETRY_MS, 'the reading of rejected records for alert rules');
    this.cleaning = task(() => store.deleteOld(KEPT_DAYS), CLEANING_MS, 'the deletion of old rejections');
    this.beginning = new PreparedStart({
      isPrepared: () => store.isPrepared(),
      begin: () => {
        this.reading.start();
        this.cleaning.start();
      },
      content: 'rejected records',
      logger,
    });
  }

  /** Returns at once: it begins when the database has its tables. */
  onApplicationBootstrap(): void {
    this.beginning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.beginning.stop();
    await Promise.all([this.reading.stop(), this.cleaning.stop()]);
    await this.reader.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }

  /** The stream may not exist yet, and the bus may be away. */
  private async read(): Promise<void> {
    if (this.isReading) return;
    await this.reader.start();
    this.isReading = true;
  }
}

/** What the database cannot store would be delivered for ever, and hold up others. */
async function addOrLeaveOut(
  store: RejectionStore,
  sequence: number,
  rejected: RejectedRecord,
  logger: Logger,
): Promise<void> {
  try {
    await store.add(sequence, rejected);
  } catch (error) {
    if (!isDataError(error)) throw error;
    logger.warn({ err: error, sequence }, 'the database rejected what a collector has rejected');
  }
}

function readerInto(bus: Bus, store: RejectionStore, logger: Logger): DurableReader {
  return new DurableReader({
    bus,
    stream: REJECTED_STREAM,
    name: READER,
    logger,
    handle: async (message) => {
      const rejected = rejectedIn(() => message.json());
      if (rejected !== undefined) await addOrLeaveOut(store, message.sequence, rejected, logger);
    },
  });
}

/** Undefined for a message that no service of ours has written. */
function rejectedIn(json: () => unknown): RejectedRecord | undefined {
  let value: unknown;
  try {
    value = json();
  } catch {
    return undefined;
  }
  const { receivedAt, remoteAddress, code, body, certificateSubject }: Partial<Record<string, unknown>> = {
    ...Object(value),
  };
  if (typeof receivedAt !== 'number' || typeof code !== 'string' || typeof body !== 'string') return undefined;
  return {
    receivedAt,
    remoteAddress: typeof remoteAddress === 'string' ? remoteAddress : '',
    path: '',
    code,
    reason: '',
    body,
    ...(typeof certificateSubject === 'string' ? { certificateSubject } : {}),
  };
}
