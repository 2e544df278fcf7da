import type { FeedConnection } from '@ringdown/feed-client';
import type { Script, ScriptedRecord } from './script.js';

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

/** Plays a script: each front end posts its records at their times, one after another. */
export async function play({ script, connections, durationMs, signal, onSent }: PlayOptions): Promise<void> {
  const began = performance.now();
  const { startsAt, records } = script;
  const length = Math.max(1, (records.at(-1)?.at ?? startsAt) - startsAt);
  const playOne = async (connection: FeedConnection, own: readonly ScriptedRecord[]): Promise<void> => {
    for (const scripted of own) {
      await pause(began + ((scripted.at - startsAt) / length) * durationMs - performance.now(), signal);
      if (signal.aborted) return;
      await connection.send(scripted.record);
      onSent(scripted);
    }
  };
  const byFrontEnd = Map.groupBy(records, ({ frontEnd }) => frontEnd);
  await Promise.all([...connections].map(([name, connection]) => playOne(connection, byFrontEnd.get(name) ?? [])));
}

/** Resolves early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
