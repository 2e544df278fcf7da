import type { BatchLimits, BatchResult, RejectedOfBatch } from '../model/record-batch.js';
import { buildXml, element, optionalElement } from './build-xml.js';
import { childText, type Element } from './element.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { readElement } from './read-element.js';

const LINE_FEED = 0x0a;
/** Of one reason: the reply to a batch must be short, whatever its records contain. */
const REASON_CHARACTERS = 120;

/** A record for each line: what `writeRecord` returns never contains a line end, as these are escaped. */
export function writeBatch(records: readonly string[]): string {
  return records.join('\n');
}

/** The records of a batch, unread; undefined when there are more than `limit`. The last one may end with a line end. */
export function splitBatch(body: Uint8Array, limit: number): readonly Uint8Array[] | undefined {
  const records: Uint8Array[] = [];
  for (let at = 0; at < body.length;) {
    if (records.length === limit) return undefined;
    const found = body.indexOf(LINE_FEED, at);
    const end = found === -1 ? body.length : found;
    records.push(body.subarray(at, end));
    at = end + 1;
  }
  return records;
}

/** The largest batch that a configuration names; undefined if it is that of a collector that reads no batches. */
export function readAcceptedBatch(configuration: string): BatchLimits | undefined {
  const found = /<Configuration\s[^<>]*?\sAcceptedBatch="(\d{1,6}) (\d{1,9})"/.exec(configuration);
  if (found === null) return undefined;
  const [records, bytes] = [Number(found[1]), Number(found[2])];
  return records > 0 && bytes > 0 ? { records, bytes } : undefined;
}

export function writeBatchReply({ count, stored, rejected }: BatchResult): string {
  const children = rejected.map(({ position, status, code, reason }) =>
    element('Rejected', [element('Code', code), element('Reason', reason.slice(0, REASON_CHARACTERS))], {
      Position: position,
      Status: status,
    }),
  );
  return buildXml(element('Response', [...optionalElement('Count', count), element('Stored', stored), ...children]));
}

/** Undefined when it is not the reply of a collector to a batch of `records` records. */
export function readBatchReply(xml: string, records: number): BatchResult | undefined {
  const root = replyElement(xml);
  if (root === undefined) return undefined;
  const [count, stored] = [wholeNumber(childText(root, 'Count')), wholeNumber(childText(root, 'Stored'))];
  const rejected = root.children.filter(({ name }) => name === 'Rejected').map(rejectedIn);
  if (stored === undefined || stored + rejected.length !== records) return undefined;
  const known = rejected.filter((each) => each !== undefined);
  const positions = new Set(known.map(({ position }) => position).filter((position) => position < records));
  return positions.size === rejected.length ? { count, stored, rejected: known } : undefined;
}

function replyElement(xml: string): Element | undefined {
  try {
    return readElement(xml, new Set(['Response']));
  } catch (error) {
    if (error instanceof FeedSyntaxError) return undefined;
    throw error;
  }
}

function rejectedIn(child: Element): RejectedOfBatch | undefined {
  const [position, status] = ['Position', 'Status'].map((name) => wholeNumber(child.attributes.get(name)));
  if (position === undefined || status === undefined) return undefined;
  return { position, status, code: childText(child, 'Code') ?? '', reason: childText(child, 'Reason') ?? '' };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
