/** Every name that is used on the bus, in one place; `docs/asyncapi.yaml` describes them. */

/** Stream with every accepted record, kept until its age or size limit. */
export const RECORDS_STREAM = 'RECORDS';
/** Stream with the newest rejected records, for operators. */
export const REJECTED_STREAM = 'REJECTED';

/** Stream with accepted records that could not become part of a call. */
export const DEAD_LETTERS_STREAM = 'DEAD_LETTERS';

/** Stream with the newest changes of calls. */
export const CALL_CHANGES_STREAM = 'CALL_CHANGES';

/** Stream with the newest state of every event channel. */
export const CHANNELS_STREAM = 'CHANNELS';

export const REJECTED_SUBJECT = 'ringdown.rejected';
/**
 * The calls that have changed, after the database has stored the change; without calls: a change may have been missed.
 */
export const CALLS_CHANGED_SUBJECT = 'ringdown.calls.changed';
/** Request and reply: the participants of the calls in progress, from the aggregator's database. */
export const CALLS_IN_PROGRESS_PATTERN = 'ringdown.calls.in-progress';
/** Not durable: the hash of a token that is no longer valid. */
export const TOKENS_REVOKED_SUBJECT = 'ringdown.tokens.revoked';
/** Request and reply: the owner of a token. */
export const TOKENS_INTROSPECT_PATTERN = 'ringdown.tokens.introspect';

/** Not durable: notifies one replica of application-people of the results of polls that it holds. */
export function pollsWakeSubject(replica: string): string {
  return `ringdown.polls.wake.${replica}`;
}

/** Request and reply: whether a replica of application-people still holds a poll. */
export function pollsHeldPattern(replica: string): string {
  return `ringdown.polls.held.${replica}`;
}

/** Request and reply: the replies that one collector has sent to front ends. */
export function collectorAnswersPattern(replica: string): string {
  return `ringdown.collectors.answers.${replica}`;
}

/** The subject on which a subscriber that reads the bus gets what it has subscribed to. */
export function subscriberSubject(name: string, what: 'records' | 'calls'): string {
  return `ringdown.subscribers.${name}.${what}`;
}

/** The subject of the state of an event channel: one application, one of its instances. */
export function channelSubject(applicationId: string, instance: string): string {
  return `ringdown.channels.${applicationId}.${instance}`;
}

/**
 * Calls are spread over this many partitions. It is part of every stored offset and subject, so it is a
 * constant of the product: changing it means replaying the stream.
 */
export const PARTITIONS = 8;

export function recordsSubject(partition: number): string {
  return `ringdown.records.${partition}`;
}

/** `*` for the dead letters of all partitions. */
export function deadLetterSubject(partition: number | '*'): string {
  return `ringdown.dead-letters.${partition}`;
}

/** The same call always has the same partition. */
export function partitionOf(callId: string): number {
  return callHash(callId) % PARTITIONS;
}

/** FNV-1a over the lower-cased CallId (CallIds are compared case-insensitively): a whole number below 2^32. */
export function callHash(callId: string): number {
  let hash = 0x811c9dc5;
  for (const char of callId.toLowerCase()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
