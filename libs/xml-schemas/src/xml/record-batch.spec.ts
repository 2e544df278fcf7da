import { RECORD_BATCH, type RejectedOfBatch } from '../model/record-batch.js';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readAcceptedBatch, readBatchReply, splitBatch, writeBatch, writeBatchReply } from './record-batch.js';
import { writeConfigurationReply } from './write-replies.js';
import { writeRecord } from './write-record.js';

const REJECTED: RejectedOfBatch = { position: 1, status: 400, code: 'not-xml', reason: 'Unclosed tag: <a>.' };

function split(body: string, limit = 64): readonly string[] | undefined {
  return splitBatch(Buffer.from(body), limit)?.map((record) => Buffer.from(record).toString());
}

describe('a batch of records', () => {
  it('is split into the records that it was written from, whatever their texts contain', () => {
    const records = ['a', 'line\nend', '\r\n', ']]>\u{2028}', ''].map((callId) =>
      writeRecord({ connection: { callId, frontEnds: ['fe\n1'] }, events: [], rawSdp: 'v=0\r\n' }, defaultProfile),
    );
    expect(split(writeBatch(records))).toEqual(records);
  });

  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb', ['a', '', 'b']],
    ['\n', ['']],
    ['a\r\nb', ['a\r', 'b']],
  ])('splits %j', (body, records) => {
    expect(split(body)).toEqual(records);
  });

  it('is not split when it has more records than allowed', () => {
    expect([split('a\nb\n', 2), split('a\nb\nc', 2), split('\n'.repeat(400_000))]).toEqual([
      ['a', 'b'],
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ count: 17, stored: 2, rejected: [REJECTED] }, 3],
    [{ count: undefined, stored: 0, rejected: [{ ...REJECTED, position: 0, status: 503 }] }, 1],
    [{ count: 1, stored: 64, rejected: [] }, 64],
  ])('has a reply that is read as written: %j', (result, records) => {
    expect(readBatchReply(writeBatchReply(result), records)).toEqual(result);
  });

  it('has a reply that senders read when every record is rejected for a long reason', () => {
    const all = Array.from({ length: RECORD_BATCH.records }, (_, position) => ({
      ...REJECTED,
      position,
      code: 'too-many-attributes',
      reason: '"'.repeat(10_000),
    }));
    const reply = writeBatchReply({ count: undefined, stored: 0, rejected: all });
    expect(Buffer.byteLength(reply)).toBeLessThan(64 * 1_024);
    expect(readBatchReply(reply, all.length)?.rejected).toHaveLength(all.length);
  });

  it.each([
    ['the reply to a single record', '<Response><Count>1</Count></Response>'],
    ['another number of records', '<Response><Count>1</Count><Stored>2</Stored></Response>'],
    [
      'a position outside of the batch',
      writeBatchReply({ count: 1, stored: 2, rejected: [{ ...REJECTED, position: 3 }] }),
    ],
    ['a position twice', writeBatchReply({ count: 1, stored: 1, rejected: [REJECTED, REJECTED] })],
    ['a rejection without a status', '<Response><Stored>2</Stored><Rejected Position="1"/></Response>'],
    ['no number', '<Response><Count>1</Count><Stored>-3</Stored></Response>'],
    ['a web page', '<html>3</html>'],
    ['no XML', 'ok'],
  ])('has no reply that is %s', (_what, reply) => {
    expect(readBatchReply(reply, 3)).toBeUndefined();
  });

  it('is announced with its limits in the configuration', () => {
    const reply = writeConfigurationReply({ acceptedBatch: { records: 64, bytes: 400_000 }, parameters: new Map() });
    expect(reply).toContain(' AcceptedBatch="64 400000"');
    expect(readAcceptedBatch(reply)).toEqual({ records: 64, bytes: 400_000 });
  });

  it.each([
    '',
    '<Configuration Version="1.0"/>',
    '<Configuration Version="1.0" AcceptedBatch="64"/>',
    '<Configuration Version="1.0" AcceptedBatch="0 400000"/>',
    '<Configuration Version="1.0" AcceptedBatch="1e3 4"/>',
    '<X AcceptedBatch="64 400000"/>',
  ])('is not announced in %j', (reply) => {
    expect(readAcceptedBatch(reply)).toBeUndefined();
  });
});
