import { isRecordBatch } from '@ringdown/contracts/records';
import { BatchBytes, type RecordJson } from './batch-bytes.js';

function recordJson(content: unknown): RecordJson {
  const json = JSON.stringify(content);
  return { json, bytes: Buffer.byteLength(json) };
}

function contentsOf(message: Uint8Array): unknown {
  const batch: unknown = JSON.parse(Buffer.from(message).toString());
  return isRecordBatch(batch) ? batch.records : undefined;
}

const FROM = { collector: '0a1b', number: 7 };

describe('the bytes of a message', () => {
  it('are the JSON of a batch with its records in order', () => {
    const message = new BatchBytes().of(FROM, [recordJson({ id: 'a' }), recordJson({ id: 'b' })]);
    expect(Buffer.from(message).toString()).toBe(
      '{"v":1,"from":{"collector":"0a1b","number":7},"records":[{"id":"a"},{"id":"b"}]}',
    );
  });

  it('encode characters that need several bytes', () => {
    expect(contentsOf(new BatchBytes().of(FROM, [recordJson('Zoë – 語 😀'), recordJson('"\u2028"')]))).toEqual([
      'Zoë – 語 😀',
      '"\u2028"',
    ]);
  });

  it('do not change while later messages are built, until they are released', () => {
    const bytes = new BatchBytes();
    const messages = Array.from({ length: 400 }, (_, n) =>
      bytes.of(FROM, [recordJson(`${n}`.repeat(n * 10)), recordJson(n)]),
    );
    for (const [n, message] of messages.entries()) expect(contentsOf(message)).toEqual([`${n}`.repeat(n * 10), n]);
  });

  it('may exceed the size of one buffer', () => {
    const large = 'x'.repeat(500_000);
    const bytes = new BatchBytes();
    for (const text of ['small', large, 'small'])
      expect(contentsOf(bytes.of(FROM, [recordJson(text)]))).toEqual([text]);
  });
});
