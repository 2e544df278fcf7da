import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@ringdown/nats';
import {
  createSnapshot,
  deleteStream,
  messagesIn,
  newestMessageAt,
  restoreSnapshot,
  type SnapshotHead,
} from '@ringdown/nats/streams';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { BackupWriter } from './backup-writer.js';

/**
 * Copied before the database: what is removed from them when it is in the database, which recognises what it has when it is read again.
 */
export const STREAMS_BEFORE_DATABASE = ['TRACES', 'SIP_FAILURES'] as const;

/** Streams of the account of people (libs/embedded/src/bus-users.ts); all others are in that of the feed. */
const STREAMS_OF_PEOPLE = [
  'KV_PEOPLE',
  'KV_TOKENS',
  'KV_SIGN_INS',
  'KV_SIGN_IN_FAILURES',
  'KV_CONTACT_LISTS',
  'KV_MEETINGS',
  'KV_PRESENCE',
  'KV_APPLICATIONS',
  'KV_MESSAGES',
  'KV_OWN_CONVERSATIONS',
  'KV_CONVERSATIONS',
  'CHANNELS',
] as const;

/**
 * Copied after the database, whose positions must not be ahead of them: the bus then has everything that the database lacks.
 */
export const STREAMS_AFTER_DATABASE = [
  'RECORDS',
  'REJECTED',
  'DEAD_LETTERS',
  'CALL_CHANGES',
  'KV_FRONT_ENDS',
  'KV_CAPTURES',
  ...STREAMS_OF_PEOPLE,
] as const;

const ALL = [...STREAMS_BEFORE_DATABASE, ...STREAMS_AFTER_DATABASE];

/** A connection to each account of the bus that has streams; on a server with one account, the same twice. */
export interface BackupBuses {
  readonly feed: Bus;
  readonly people: Bus;
}

function busOf({ feed, people }: BackupBuses, stream: string): Bus {
  return STREAMS_OF_PEOPLE.some((name) => name === stream) ? people : feed;
}

/** Reports of running services: they expire, and have no meaning after a restore. */
const REPORTS = 'KV_SERVICES';
/** Longer than a report of a service that has ended stays. */
const GONE_MS = 15_000;
const CHECK_MS = 500;

function streamFileInBackup(stream: string): string {
  return `streams/${stream}.snapshot`;
}

/** Streams that do not exist are left out: not every system has all services. */
export async function copyStreams(
  buses: BackupBuses,
  names: readonly string[],
  writer: BackupWriter,
): Promise<SnapshotHead[]> {
  const heads: SnapshotHead[] = [];
  for (const name of names) {
    const bus = busOf(buses, name);
    // Without a stream there is no file either.
    if ((await messagesIn(bus, name)) === undefined) continue;
    const head = await writer.write(streamFileInBackup(name), (append) => createSnapshot(bus, name, append));
    if (head === undefined) throw new Error(`the stream ${name} was deleted while it was copied`);
    heads.push(head);
  }
  return heads;
}

/** The streams of Ringdown that have messages. */
export async function usedStreams(buses: BackupBuses): Promise<string[]> {
  const used: string[] = [];
  for (const name of ALL) if (((await messagesIn(busOf(buses, name), name)) ?? 0) > 0) used.push(name);
  return used;
}

/** As {@link usedStreams}, of which the newest message was stored after that time. */
export async function streamsWrittenSince(buses: BackupBuses, time: Date): Promise<string[]> {
  const written: string[] = [];
  for (const name of ALL) {
    const stored = await newestMessageAt(busOf(buses, name), name);
    if (stored !== undefined && stored > time.getTime()) written.push(name);
  }
  return written;
}

/** Rejects when services use the bus, after waiting until the reports of those that have just ended are gone. */
export async function assertNoServices({ feed }: BackupBuses): Promise<void> {
  const until = performance.now() + GONE_MS;
  while (((await messagesIn(feed, REPORTS)) ?? 0) > 0) {
    if (performance.now() > until)
      throw new Error('services of Ringdown are running on this message bus: stop them first');
    await sleep(CHECK_MS);
  }
}

/** Replaces the streams; those that the backup does not have are deleted. */
export async function restoreStreams(
  buses: BackupBuses,
  backup: string,
  heads: readonly SnapshotHead[],
): Promise<void> {
  for (const name of ALL) await deleteStream(busOf(buses, name), name);
  for (const head of heads) {
    const { name } = head.config;
    await restoreSnapshot(busOf(buses, name), head, createReadStream(join(backup, streamFileInBackup(name))));
  }
}
