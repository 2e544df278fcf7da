import { errorReason } from '@ringdown/errors';
import { randomUUID } from 'node:crypto';
import { isRecordBatch, type PublishedRecord } from '@ringdown/contracts/records';
import type { DeadLetters, StoredLetter, RecordPublisher } from '@ringdown/feed-bus';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';

export interface ReplayOptions {
  readonly letters: Pick<DeadLetters, 'delete'>;
  readonly publisher: Pick<RecordPublisher, 'publish'>;
  readonly profile: VendorProfile;
}

/**
 * Publishes the records of a letter to the feed again and removes the letter. They are parsed again from what the front
 * end sent, so that improvements of this version apply; an aggregator that cannot process them sets them aside again.
 * Rejects, and keeps the letter, when there is nothing to parse or the bus does not store it.
 */
export async function replay(kept: StoredLetter, { letters, publisher, profile }: ReplayOptions): Promise<number> {
  const records = deadLetterRecords(kept).map((record) => parsedAgain(record, kept, profile));
  for (const record of records) await publisher.publish(record);
  await letters.delete(kept.number);
  return records.length;
}

function deadLetterRecords({ letter }: StoredLetter): readonly unknown[] {
  if (letter.code !== 'unreadable-message') return [letter.content];
  const batch = parsed(String(letter.content));
  if (!isRecordBatch(batch) || batch.records.length === 0) throw new Error('it contains no readable records');
  return batch.records;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`it is not a message of records: ${errorReason(cause)}`, { cause });
  }
}

function parsedAgain(content: unknown, { letter }: StoredLetter, profile: VendorProfile): PublishedRecord {
  const { id, receivedAt, remoteAddress, certificateSubject, xml } = Object(content);
  if (typeof xml !== 'string') throw new Error('it contains no document of a front end');
  const message = readFeedMessage(xml, profile);
  if (message.kind !== 'record') throw new Error('its document is not a record');
  return {
    id: typeof id === 'string' && id !== '' ? id : randomUUID(),
    receivedAt: typeof receivedAt === 'number' && Number.isFinite(receivedAt) ? receivedAt : letter.setAsideAt,
    ...(typeof remoteAddress === 'string' ? { remoteAddress } : {}),
    ...(typeof certificateSubject === 'string' ? { certificateSubject } : {}),
    record: message.record,
    xml,
    replayed: true,
  };
}
