import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { readAcceptedBatch, readAcceptedReports, readBatchReply } from '@ringdown/xml-schemas';
import { NoAnswer, readHttpAnswer } from '../../src/http-answer.js';

const HTTP_LIMIT = 80_000;

function pumpedAnswer(dice: Dice): Buffer {
  const headers = `Content-Length: ${dice.of(['', '1', pumpString(dice, 1_000)])}\r\n${pumpString(dice, HTTP_LIMIT)}`;
  const chunks = dice.onceIn(40) ? `Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(dice.below(10_000))}` : '';
  return Buffer.from(
    `HTTP/1.1 200 ${pumpString(dice, 1_000)}\r\n${dice.onceIn(2) ? headers : ''}${chunks}\r\n\r\n${pumpString(dice, 64)}`,
  );
}

export const readers: readonly FuzzedReader[] = [
  fuzzedReader('feed client: answers of collectors', pumpedAnswer, (bytes) => readHttpAnswer(bytes, true), [NoAnswer]),
  fuzzedReader(
    'feed client: announced batches',
    (dice) => `<Configuration ${pumpString(dice, HTTP_LIMIT)} AcceptedBatch="${pumpString(dice, 1_000)}"/>`,
    readAcceptedBatch,
  ),
  fuzzedReader(
    'feed client: announced reports',
    (dice) => `<Configuration ${pumpString(dice, HTTP_LIMIT)} AcceptedReports="${pumpString(dice, 1_000)}"/>`,
    readAcceptedReports,
  ),
  fuzzedReader(
    'feed client: replies to batches',
    (dice) => `<Response><Stored>${pumpString(dice, 1_000)}</Stored>${pumpString(dice, HTTP_LIMIT)}</Response>`,
    (xml) => readBatchReply(xml, 64),
  ),
];
