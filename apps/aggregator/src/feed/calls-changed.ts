import { CALLS_CHANGED_SUBJECT, reasonOf, type Bus, type CallsChanged } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import type { Call } from '../calls/call.js';

/** Well below NATS' limit of one megabyte for a message. */
const MAX_MESSAGE_CHARACTERS = 256 * 1_024;

/**
 * Tells everybody on the bus which calls have changed, in their new state, once the database has them. Nobody stores
 * it, so who must not miss anything reads the database. No calls at all means: something may have been missed, read again.
 */
export class CallsChangedPublisher {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  publish(calls: readonly Call[]): void {
    let some: Call[] = [];
    let characters = 0;
    for (const call of calls) {
      const size = JSON.stringify(call).length;
      if (size > MAX_MESSAGE_CHARACTERS) {
        this.readAgain();
        continue;
      }
      if (characters + size > MAX_MESSAGE_CHARACTERS) {
        this.send({ calls: some });
        some = [];
        characters = 0;
      }
      some.push(call);
      characters += size;
    }
    if (some.length > 0) this.send({ calls: some });
  }

  readAgain(): void {
    this.send({ calls: [] });
  }

  private send(message: CallsChanged<Call>): void {
    try {
      this.bus.publish(CALLS_CHANGED_SUBJECT, message);
    } catch (error) {
      // The calls themselves are safe in the database.
      this.logger.warn({ reason: reasonOf(error) }, 'could not tell that calls have changed');
    }
  }
}
