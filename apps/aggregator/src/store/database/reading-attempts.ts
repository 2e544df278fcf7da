import type { Position } from '@ringdown/feed-bus';
import type { Database } from './database.js';

/** Earlier attempts to read a partition from the current position. */
export interface Attempts {
  /** How often reading has started there, including this time, without an orderly end. */
  readonly starts: number;
  /** By id of a record, how often reading has started with this record alone and did not get past it. */
  readonly tries: Readonly<Record<string, number>>;
}

const BEGIN = `
  insert into reading_attempts as known (partition, epoch, sequence, starts) values ($1, $2, $3, 1)
  on conflict (partition) do update set epoch = excluded.epoch, sequence = excluded.sequence,
    starts = case when known.epoch = excluded.epoch and known.sequence = excluded.sequence then known.starts + 1 else 1 end,
    tries = case when known.epoch = excluded.epoch and known.sequence = excluded.sequence then known.tries else '{}' end
  returning starts, tries`;

/** Stores where a process was, beyond its end, so that a record that repeatedly ends processes is found. */
export class ReadingAttempts {
  constructor(private readonly database: Database) {}

  /** To be called once each time that reading of a partition begins. */
  begin(partition: number, position: Position | undefined): Promise<Attempts> {
    const { epoch, sequence } = position ?? { epoch: '', sequence: 0 };
    return this.database.write(async (transaction) => {
      // Before its first message a stream is at the same position, whether that is stored yet or not.
      const place = [partition, sequence === 0 ? '' : epoch, sequence];
      const { rows } = await transaction.query<Attempts>(BEGIN, place);
      return rows[0] ?? { starts: 1, tries: {} };
    });
  }

  async storeTries(partition: number, tries: Attempts['tries']): Promise<void> {
    await this.database.write((transaction) =>
      transaction.query('update reading_attempts set tries = $2 where partition = $1', [
        partition,
        JSON.stringify(tries),
      ]),
    );
  }

  async delete(partition: number): Promise<void> {
    await this.database.write((transaction) =>
      transaction.query('delete from reading_attempts where partition = $1', [partition]),
    );
  }
}
