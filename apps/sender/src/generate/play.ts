import { RECORDS_AT_ONCE, type FeedConnection } from '@ringdown/feed-client';
import { pause } from '@ringdown/feed-client/command';
import type { ScriptedRecord } from '@ringdown/generated-calls';
import type { Script } from './script.js';

export interface PlayOptions {
  readonly script: Script;
  /** By the name of the front end. */
  readonly connections: ReadonlyMap<string, FeedConnection>;
  /** Duration of the whole script, milliseconds. */
  readonly durationMs: number;
  /** Stops early; records that are being sent are finished. */
  readonly signal: AbortSignal;
  readonly onSent: (scripted: ScriptedRecord) => void;
}

/** Plays a script: each front end posts its records at their times, in order; those that are due, together. */
export async function play({ script, connections, durationMs, signal, onSent }: PlayOptions): Promise<void> {
  const began = performance.now();
  const { startsAt, records } = script;
  const length = Math.max(1, (records.at(-1)?.at ?? startsAt) - startsAt);
  const remainingMs = (scripted?: ScriptedRecord): number =>
    began + (((scripted?.at ?? startsAt) - startsAt) / length) * durationMs - performance.now();
  const dueOf = (own: readonly ScriptedRecord[]): readonly ScriptedRecord[] => {
    const some = own.slice(0, RECORDS_AT_ONCE);
    const later = some.findIndex((scripted) => remainingMs(scripted) > 0);
    return later === -1 ? some : some.slice(0, Math.max(1, later));
  };
  const playOne = async (connection: FeedConnection, own: readonly ScriptedRecord[]): Promise<void> => {
    for (let next = own; next.length > 0;) {
      await pause(remainingMs(next[0]), signal);
      if (signal.aborted) return;
      const sent = await connection.sendBatch(dueOf(next).map(({ record }) => record));
      for (const scripted of next.slice(0, sent.length)) onSent(scripted);
      next = next.slice(sent.length);
    }
  };
  const byFrontEnd = Map.groupBy(records, ({ frontEnd }) => frontEnd);
  await Promise.all([...connections].map(([name, connection]) => playOne(connection, byFrontEnd.get(name) ?? [])));
}
