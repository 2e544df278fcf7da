/** Every name that goes over the bus, in one place; `docs/asyncapi.yaml` describes them. */

/** Stream with every accepted record, kept until its age or size limit. */
export const RECORDS_STREAM = 'RECORDS';
/** Stream with the newest refused records, for an operator to look at. */
export const REJECTED_STREAM = 'REJECTED';

/** Stream with accepted records that could not become part of a call. */
export const DEAD_LETTERS_STREAM = 'DEAD_LETTERS';

/** Stream with the newest changes of calls. */
export const CALL_CHANGES_STREAM = 'CALL_CHANGES';

/** Stream with the newest state of every event channel. */
export const CHANNELS_STREAM = 'CHANNELS';

export const REJECTED_SUBJECT = 'ringdown.rejected';
/** Says which calls have changed, after the change is in the database; with no calls, that something may not have been told. */
export const CALLS_CHANGED_SUBJECT = 'ringdown.calls.changed';
/** Request and reply: who talks in the calls that are going on, out of the aggregator's database. */
export const CALLS_IN_PROGRESS_PATTERN = 'ringdown.calls.in-progress';
/** Not durable: the hash of a token that is no longer valid. */
export const TOKENS_REVOKED_SUBJECT = 'ringdown.tokens.revoked';
/** Request and reply: who a token belongs to. */
export const TOKENS_INTROSPECT_PATTERN = 'ringdown.tokens.introspect';

/** Not durable: tells one replica of application-people what has become of polls that it holds. */
export function pollsWakeSubject(replica: string): string {
  return `ringdown.polls.wake.${replica}`;
}

/** Request and reply: whether a replica of application-people still holds a poll. */
export function pollsHeldPattern(replica: string): string {
  return `ringdown.polls.held.${replica}`;
}

/** Request and reply: what one collector has answered to front ends. */
export function collectorAnswersPattern(replica: string): string {
  return `ringdown.collectors.answers.${replica}`;
}

/** Where a subscriber that reads the bus gets what it has subscribed to. */
export function subscriberSubject(name: string, what: 'records' | 'calls'): string {
  return `ringdown.subscribers.${name}.${what}`;
}

/** Where the state of an event channel is kept: one application, one of its instances. */
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

/** `*` for those of all partitions. */
export function deadLetterSubject(partition: number | '*'): string {
  return `ringdown.dead-letters.${partition}`;
}

/** The same call always has the same partition. */
export function partitionOf(callId: string): number {
  return callHash(callId) % PARTITIONS;
}

/** FNV-1a over the lower-cased CallId (CallIds compare case-blind): a whole number below 2^32. */
export function callHash(callId: string): number {
  let hash = 0x811c9dc5;
  for (const char of callId.toLowerCase()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
